// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.heddle.scheduler.accounting.HourlyUsage;
import org.heddle.scheduler.accounting.UsageFormat;
import org.heddle.scheduler.accounting.UsageRow;
import org.heddle.scheduler.config.ConfigurationException;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.edit.SpecWriter;
import org.heddle.scheduler.config.read.SpecReader;
import org.heddle.scheduler.model.SchedulerSpec;
import org.junit.jupiter.api.Test;

/** Files as release 0.1.0 wrote them are read, and files of versions to come are refused in one sentence. */
class ReleasedFormatsTest {
    private static final String QUEUES = "heddle-scheduler-0.1.0.xml";
    private static final String USAGE = "usage-0.1.0.jsonl";
    private static final KnownNames NAMES = KnownNames.of(
            List.of("drf", "fifo"), Map.of("memory-mb", "Mi", "vcores", "", "yarn.io/gpu", "", "disk", "G"));

    private static String text(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(ReleasedFormatsTest.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static SchedulerSpec read(String text) throws ConfigurationException {
        return new SpecReader(NAMES).read(QUEUES, text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void queueFiles() throws Exception {
        String text = text(QUEUES);
        SchedulerSpec spec = read(text);
        assertThat(spec.root().children()).hasSize(3);
        assertThat(read(SpecWriter.write(spec, List.of())))
                .as("what this release writes means the same")
                .isEqualTo(spec);
        assertThatThrownBy(() -> read(text.replace("version=\"1\"", "version=\"2\"")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(
                        "version = '2': must be 1, the only version of the format that this release reads");
    }

    @Test
    void usageFiles() throws IOException {
        String text = text(USAGE);
        HourlyUsage hour = UsageFormat.parse(USAGE, text);
        assertThat(hour.startMillis()).isEqualTo(1_793_491_200_000L);
        assertThat(hour.rows())
                .containsExactly(
                        new UsageRow(
                                "root.etl",
                                "ann",
                                "application_7_0001",
                                "O'Brien's \"sort\" \u00e9",
                                "MAPREDUCE",
                                Map.of("memory-mb", 7_200_000_000L),
                                3,
                                1),
                        new UsageRow(
                                "root.science",
                                "bob",
                                "application_7_0002",
                                "",
                                "SPARK",
                                Map.of("vcores", 14_400_000L),
                                1,
                                0));
        assertThat(UsageFormat.text(hour)).as("the format has not changed").isEqualTo(text);
        assertThatThrownBy(() -> UsageFormat.parse(USAGE, text.replace("\"version\":1", "\"version\":2")))
                .hasMessage(USAGE + " has version 2; this release reads version 1, so use the release that wrote it");
    }
}
