// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.heddle.market.http.config.WebKeys;
import org.heddle.scheduler.config.SchedulerKeys;
import org.heddle.settings.ConfigKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of conf-samples/market: a ResourceManager starts with them, except for the directory of the ledger. */
class SamplesTest {
    private static final Path SAMPLES = samples(Path.of("").toAbsolutePath());

    @TempDir
    Path directory;

    /** The test runs in directories of modules at different depths. */
    private static Path samples(Path from) {
        Path here = from.resolve(Path.of("conf-samples", "market"));
        return Files.isDirectory(here) ? here : samples(Objects.requireNonNull(from.getParent(), "no conf-samples"));
    }

    @Test
    void aResourceManagerRunsOnThem() throws Exception {
        Configuration sample = new Configuration(false);
        sample.addResource(
                new org.apache.hadoop.fs.Path(SAMPLES.resolve("yarn-site.xml").toUri()));
        Set<String> known = Stream.of(MarketKeys.ALL, WebKeys.ALL, SchedulerKeys.ALL)
                .flatMap(List::stream)
                .map(ConfigKey::name)
                .collect(Collectors.toSet());
        List<String> properties = new ArrayList<>();
        for (Map.Entry<String, String> each : sample) {
            if (each.getKey().startsWith(SchedulerKeys.PREFIX)) {
                assertThat(known).contains(each.getKey());
            }
            properties.addAll(List.of(each.getKey(), each.getValue()));
        }
        assertThat(properties).contains(MarketKeys.STORE_DIRECTORY.name(), MarketKeys.PREEMPTION_INTERVAL_MS.name());
        properties.addAll(List.of(
                "yarn.scheduler.heddle.configuration.file",
                SAMPLES.resolve("heddle-scheduler.xml").toString(),
                MarketKeys.STORE_DIRECTORY.name(),
                directory.resolve("ledger").toString()));
        try (MarketFixture fixture = new MarketFixture(directory, properties.toArray(String[]::new))) {
            fixture.node("127.0.0.1", 16_384, 16);
            fixture.queue("alice", "1", "10");
            assertThat(fixture.market().status().terms().clusterId()).isEqualTo("production-1");
            assertThat(fixture.market().queues()).extracting("name").contains("alice", "default", "research");
            fixture.app("bob", "default");
            assertThatThrownBy(() -> fixture.app("bob", "alice"))
                    .rootCause()
                    .hasMessageContaining("User bob does not have permission to submit");
        }
    }
}
