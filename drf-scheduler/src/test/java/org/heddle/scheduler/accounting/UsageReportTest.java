// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("pure")
class UsageReportTest {
    private static final long NOW = millis("2026-11-23T10:30:00Z");

    private static long millis(String time) {
        return Instant.parse(time).toEpochMilli();
    }

    private static UsageRow row(String queue, String user, int application, long memorySeconds, long gpuSeconds) {
        Map<String, Long> millis = gpuSeconds == 0
                ? Map.of("memory-mb", 1000 * memorySeconds, "vcores", 1000L)
                : Map.of("memory-mb", 1000 * memorySeconds, "vcores", 1000L, "yarn.io/gpu", 1000 * gpuSeconds);
        return new UsageRow(
                queue, user, "application_1_" + application, "job \"x\",\n" + application, "SPARK", millis, 3, 1);
    }

    private static HourlyUsage hour(String start, UsageRow... rows) {
        return new HourlyUsage(millis(start), millis(start) + HourlyUsage.HOUR_MILLIS, List.of(rows));
    }

    private static UsageReport report(UsageQuery query) {
        UsageReport.Builder report = new UsageReport.Builder(query);
        report.add(hour("2026-10-31T23:00:00Z", row("root.a", "ann", 1, 1_000_000, 0)));
        report.add(hour("2026-11-01T00:00:00Z", row("root.a", "ann", 1, 10, 0), row("root.a", "bob", 2, 100, 7)));
        report.add(hour("2026-11-02T05:00:00Z", row("root.b", "ann", 1, 20, 0), row("root.b", "ann", 3, 30, 0)));
        report.add(hour("2026-12-01T00:00:00Z", row("root.a", "ann", 1, 1_000_000, 0)));
        return report.build();
    }

    @Test
    void addsUpByUserTheLargestFirstWithinTheMonthOnly() {
        UsageReport report = report(UsageQuery.parse(null, null, null, null, NOW));
        assertThat(report.resources()).containsExactly("memory-mb", "vcores", "yarn.io/gpu");
        assertThat(report.lines())
                .extracting(
                        UsageReport.Line::key,
                        line -> line.seconds("memory-mb"),
                        line -> line.seconds("yarn.io/gpu"),
                        UsageReport.Line::applications,
                        UsageReport.Line::containers,
                        UsageReport.Line::preempted)
                .containsExactly(
                        tuple(List.of("bob"), 100.0, 7.0, 1, 3L, 1L), tuple(List.of("ann"), 60.0, 0.0, 2, 9L, 3L));
    }

    @Test
    void columnsCanBeCombinedAndTimesComeInTheirOrder() {
        UsageQuery query = UsageQuery.parse("day,queue,day", null, "2026-11-01", "2026-11-30", NOW);
        assertThat(query.by()).containsExactly(UsageQuery.Dimension.DAY, UsageQuery.Dimension.QUEUE);
        assertThat(report(query).lines())
                .extracting(UsageReport.Line::key)
                .containsExactly(List.of("2026-11-01", "root.a"), List.of("2026-11-02", "root.b"));
        assertThat(report(UsageQuery.parse("month,type,name,application", "2026-10", null, null, NOW))
                        .lines())
                .extracting(UsageReport.Line::key)
                .containsExactly(List.of("2026-10", "SPARK", "job \"x\",\n1", "application_1_1"));
    }

    @Test
    void aQueryWithoutItsLastDayEndsToday() {
        UsageQuery query = UsageQuery.parse("user", null, "2026-11-20", null, NOW);
        assertThat(query.fromMillis()).isEqualTo(millis("2026-11-20T00:00:00Z"));
        assertThat(query.toMillis()).isEqualTo(millis("2026-11-24T00:00:00Z"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            planet  | | | | by contains 'planet'; there are month, day, queue, user, type, application, name
            user    | November | | | month is 'November'; write it as 2026-11
            user    | | 1.11. | | from is '1.11.'; write the day as 2026-11-30
            user    | | | 2026-11-02 | to is given without from; add from, the first day
            user    | 2026-11 | 2026-11-02 | | month cannot be given together with from or to; leave one of them out
            user    | | 2026-11-02 | 2026-11-01 | the last day, 2026-11-01, is before the first one, 2026-11-02
            user    | | 2006-11-02 | 2026-11-01 | 2006-11-02 to 2026-11-01 is too long; a report covers at most 800 days
            """)
    void wrongParametersAreAnsweredInOneSentence(String by, String month, String from, String to, String message) {
        assertThatThrownBy(() -> UsageQuery.parse(by, month, from, to, NOW))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void aFileHasOneLineForEachApplicationAndIsReadAgain() throws IOException {
        HourlyUsage hour = hour("2026-11-01T00:00:00Z", row("root.a", "ann", 1, 10, 5), row("root.b", "bob", 2, 3, 0));
        String text = UsageFormat.text(hour);
        assertThat(text.lines()).hasSize(3);
        assertThat(UsageFormat.parse("x.jsonl", text)).isEqualTo(hour);
    }

    @Test
    void aLaterReleaseMayAddFields() throws IOException {
        String text = """
                {"version":1,"startMillis":0,"accountedUntilMillis":5,"more":{"a":[1]}}
                {"queue":"root.a","user":"ann","application":"application_1_1","cost":{"x":1},"resourceMillis":{"vcores":7}}
                """;
        assertThat(UsageFormat.parse("x.jsonl", text).rows())
                .containsExactly(new UsageRow("root.a", "ann", "application_1_1", "", "", Map.of("vcores", 7L), 0, 0));
    }

    @Test
    void whatCannotBeReadIsNamed() {
        assertThatThrownBy(() -> UsageFormat.parse("x.jsonl", "{\"version\":2}"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("x.jsonl has version 2; this release reads version 1");
        assertThatThrownBy(() -> UsageFormat.parse("x.jsonl", "{\"version\":1}\n{\"queue\":oops}"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("x.jsonl is damaged at line 2");
        assertThatThrownBy(() -> UsageFormat.parse("x.jsonl", ""))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("x.jsonl is not a usage file");
    }
}
