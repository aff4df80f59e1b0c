// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
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

/** docs/metrics.md names every metric that there is, and no other. */
class MetricsDocTest {
    private static final Pattern FAMILY = Pattern.compile("(?m)^# TYPE (\\S+) ");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(heddle_\\w+)` \\|");
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

    /** In the project's directory, above this module or above the one that runs these tests on the older line. */
    @Test
    void everyMetricIsThere() throws Exception {
        String doc = Files.readString(ProjectFiles.of("docs/metrics.md"));
        doc = doc.substring(0, doc.indexOf("## Each queue and user")); // StockClientsIT of acceptance checks that part
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            fixture.node("127.2.0.1", 4_000, 4);
            String metrics = PrometheusText.of(fixture.scheduler().snapshot());
            assertThat(all(ROW, doc)).isEqualTo(all(FAMILY, metrics));

            MetricsCollectorImpl collector = new MetricsCollectorImpl();
            DefaultMetricsSystem.instance().getSource("HeddleScheduler").getMetrics(collector, true);
            Set<String> beans = new TreeSet<>();
            collector.getRecords().forEach(record -> record.metrics().forEach(metric -> beans.add(metric.name())));
            assertThat(all(IN_JMX, doc)).isEqualTo(beans);
        }
    }
}
