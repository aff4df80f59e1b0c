// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Which classes read the date, in modules whose {@code LayeringTest} does not say so: what waits or expires must not
 * depend on it. It looks at the sources, so that no module can forget it.
 */
class ReadersOfDatesTest {
    private static final Pattern DATE = Pattern.compile("\\bcurrentTimeMillis\\b|\\bnew Date\\(\\)|\\bSystemClock\\b"
            + "|\\b(Instant|Local\\w+|Zoned\\w+|Offset\\w+|Year\\w*|Time)\\s*(\\.|::)\\s*now\\b"
            + "|Calendar\\.getInstance|\\bClock\\.system|[cC]locks?(\\.|::)(date|millisAt)");

    /** They have that rule, or are for tests and measurements only. */
    private static final Pattern ELSEWHERE = Pattern.compile("(drf-scheduler|dynamic-priority-scheduler|journal"
            + "|late-speculator|offer-bridge(/client|/mesos-driver|/frameworks)?|packing-planner|whatif)/src/.*"
            + "|(testkit|acceptance|benchmarks|demos)/.*");

    @Test
    void onlyTheClocksReadTheDate() throws IOException {
        Set<String> found =
                new TreeSet<>(ProjectSources.java(text -> DATE.matcher(text).find()));
        found.removeIf(name -> ELSEWHERE.matcher(name).matches());
        assertThat(found)
                .as("another class reads the date: use Clocks.millis, or DateReaders in the module's LayeringTest")
                .containsExactly("settings/src/main/java/org/heddle/settings/Clocks.java");
    }

    @Test
    void anotherReaderIsNoticed() {
        assertThat(List.of(
                        "System.currentTimeMillis()",
                        "System::currentTimeMillis",
                        "java.time.Instant.now()",
                        "LocalDateTime.now(zone)",
                        "Clock.systemUTC()",
                        "clocks.dateOf(moment)"))
                .allMatch(text -> DATE.matcher(text).find());
        assertThat(List.of("clocks.millis()", "now()", "Instant.ofEpochMilli(date)"))
                .noneMatch(text -> DATE.matcher(text).find());
    }
}
