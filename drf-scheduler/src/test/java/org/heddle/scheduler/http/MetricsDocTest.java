// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.heddle.scheduler.ProjectFiles;
import org.heddle.scheduler.yarn.RmFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/metrics.md names every metric that there is, with its type, unit and meaning, and no other. */
class MetricsDocTest {
    private static final Pattern FAMILY = Pattern.compile("(?m)^# HELP (\\S+) (.*)\n# TYPE \\1 (\\w+)$");
    /** Name, type, unit, meaning. */
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `(heddle_\\w+)` \\| (\\w+) \\| ([^|]*?) ?\\| ([^|]*?) \\|");

    private static final Pattern LINK = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");
    private static final Pattern IN_JMX = Pattern.compile("(?m)\\| `([A-Z]\\w+)` \\|$");

    @TempDir
    Path directory;

    private static Set<String> all(Pattern pattern, String text) {
        Set<String> found = new TreeSet<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }

    /** Name, type, and what it is in which unit. */
    private static Set<String> described(String doc) {
        Set<String> rows = new TreeSet<>();
        Matcher row = ROW.matcher(doc);
        while (row.find()) {
            String meaning = LINK.matcher(row.group(4)).replaceAll("$1").replace("`", "");
            String unit = row.group(3).isEmpty() ? "" : " (" + row.group(3) + ")";
            rows.add(row.group(1) + " " + row.group(2) + " " + capital(meaning) + unit);
        }
        return rows;
    }

    private static Set<String> exported(String metrics) {
        Set<String> families = new TreeSet<>();
        Matcher family = FAMILY.matcher(metrics);
        while (family.find()) {
            families.add(family.group(1) + " " + family.group(3) + " " + family.group(2));
        }
        return families;
    }

    private static String capital(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    /** In the project's directory, above this module or above the one that runs these tests on the older line. */
    @Test
    void everyMetricIsThere() throws Exception {
        String doc = Files.readString(ProjectFiles.of("docs/metrics.md"));
        doc = doc.substring(0, doc.indexOf("## Each queue and user")); // StockClientsIT of acceptance checks that part
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            fixture.node("127.2.0.1", 4_000, 4);
            String metrics = PrometheusText.of(fixture.scheduler().snapshot());
            assertThat(described(doc)).isNotEmpty().isEqualTo(exported(metrics));

            MetricsCollectorImpl collector = new MetricsCollectorImpl();
            DefaultMetricsSystem.instance().getSource("HeddleScheduler").getMetrics(collector, true);
            Set<String> beans = new TreeSet<>();
            collector.getRecords().forEach(record -> record.metrics().forEach(metric -> beans.add(metric.name())));
            assertThat(all(IN_JMX, doc)).isEqualTo(beans);
        }
    }
}
