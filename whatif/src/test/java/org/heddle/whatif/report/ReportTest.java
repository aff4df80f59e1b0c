// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.heddle.whatif.model.History;
import org.heddle.whatif.model.Job;
import org.heddle.whatif.model.Size;
import org.heddle.whatif.model.TaskGroup;
import org.heddle.whatif.model.TaskKind;
import org.heddle.whatif.outcome.Figures;
import org.heddle.whatif.outcome.Outcome;
import org.heddle.whatif.outcome.Percentiles;
import org.junit.jupiter.api.Test;

class ReportTest {
    private static final Size SIZE = new Size(500, 1);

    private static Percentiles all(long millis) {
        return new Percentiles(1, millis, millis, millis);
    }

    private static Comparison comparison(Map<String, double[]> shares) {
        Job job = new Job(
                "job_1",
                "alice",
                "root.a",
                0,
                20_000,
                SIZE,
                0,
                0.05,
                true,
                List.of(new TaskGroup(TaskKind.MAP, SIZE, new long[] {12_000})));
        Figures figures = new Figures(1, 1, 0.5, all(1_000), all(2_000), all(15_000), 3, 30_000);
        Outcome outcome = new Outcome(
                "fair",
                15_000,
                0.5,
                0.05,
                figures,
                sorted("root.a", figures),
                sorted("alice", figures),
                0.875,
                10_000,
                new double[] {0.5, 0.25},
                new TreeMap<>(shares),
                sorted("job_1", 15_000L),
                sorted("root.b: no such queue", 2),
                List.of("job_9"),
                List.of("a remark of the replay"));
        return new Comparison(
                "history",
                new History(List.of(job), List.of("a remark of the source")),
                List.of(new Size(1_000, 10), new Size(1_000, 10)),
                List.of(outcome));
    }

    private static <T> SortedMap<String, T> sorted(String name, T value) {
        return new TreeMap<>(Map.of(name, value));
    }

    @Test
    void theTextIsTheGoldenOne() throws IOException {
        try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream("golden.txt"))) {
            assertThat(TextReport.text(comparison(Map.of())))
                    .isEqualTo(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void thePageHasTablesChartsAndNothingFromElsewhere() throws IOException {
        String page = HtmlReport.page(comparison(Map.of("root.</script>", new double[] {0.5, 0.25})));
        assertThat(page)
                .startsWith("<!DOCTYPE html>")
                .contains("<td>makespan</td><td class=\"n\">20.0 s</td><td class=\"n\">15.0 s</td>")
                .contains("\"title\": \"all queues\"")
                .contains("[\"root.\\u003c/script\\u003e\", [0.5000,0.2500]]")
                .contains("uPlot")
                .doesNotContain("<script src", "<link ", "@import");
        assertThat(page.split("</script>", -1))
                .as("one script, whatever a queue is called")
                .hasSize(2);
    }

    @Test
    void aChartSumsUpTheSmallestOfManyQueues() throws IOException {
        Map<String, double[]> shares = new TreeMap<>();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            names.add("root.q" + (char) ('a' + i));
            shares.put(names.get(i), new double[] {0.001 * i});
        }
        assertThat(HtmlReport.page(comparison(shares)))
                .contains("[\"all others\", [0.0030]]", "[\"root.qd\", [0.0030]]")
                .doesNotContain("\"root.qa\"", "\"root.qb\"", "\"root.qc\"");
    }

    @Test
    void timesHaveTheirUnit() {
        assertThat(Tables.time(0)).isEqualTo("0.0 s");
        assertThat(Tables.time(599_940)).isEqualTo("599.9 s");
        assertThat(Tables.time(600_000)).isEqualTo("10.0 min");
        assertThat(Tables.time(86_400_000)).isEqualTo("24.0 h");
    }
}
