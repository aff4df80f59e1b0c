// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ServiceLoader;
import org.apache.spark.SparkConf;
import org.apache.spark.scheduler.ExternalClusterManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OffersSettingsTest {
    private static final String MASTER = "offers://bridge:5050";

    private static SparkConf conf(String... settings) {
        SparkConf conf = new SparkConf(false);
        for (int i = 0; i < settings.length; i += 2) {
            conf.set(settings[i], settings[i + 1]);
        }
        return conf;
    }

    @Test
    void sparkFindsTheClusterManager() {
        assertThat(ServiceLoader.load(ExternalClusterManager.class))
                .filteredOn(manager -> manager.canCreate(MASTER))
                .hasSize(1)
                .allSatisfy(manager ->
                        assertThat(manager.canCreate("spark://host:7077")).isFalse());
    }

    @ParameterizedTest
    @CsvSource({
        "spark.offers.rôle, x, is no setting of the offers master",
        "spark.offers.localityWait, soon, write a time such as",
        "spark.offers.lossReasonTimeout, -1s, cannot be negative",
        "spark.offers.principal, me, belong together",
        "spark.offers.secret, x, belong together",
        "spark.offers.trustStore, /store, spark.offers.tls is not true",
        "spark.executor.resource.gpu.amount, 1, the bridge offers cores and memory only",
    })
    void refusesWrongSettingsByTheirNames(String key, String value, String why) {
        assertThatThrownBy(() -> new OffersSettings(conf(key, value), MASTER))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(key.startsWith("spark.offers.secret") ? "spark.offers.secret" : key)
                .hasMessageContaining(why);
    }

    @Test
    void readsTheSecretFromItsFile(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("secret"), "s3cret\n");
        SparkConf conf = conf("spark.offers.principal", "me", "spark.offers.secretFile", file.toString());
        assertThat(new OffersSettings(conf, MASTER).secret()).isEqualTo("s3cret");
        conf.set("spark.offers.secretFile", directory.resolve("none").toString());
        assertThatThrownBy(() -> new OffersSettings(conf, MASTER).bridges()).hasMessageContaining("cannot be read");
        conf.set("spark.offers.tls", "true").set("spark.offers.trustStore", file.toString());
        assertThatThrownBy(() -> new OffersSettings(conf, MASTER).trust()).hasMessageContaining("no key store");
    }

    @Test
    void theReadmeNamesEverySetting() throws IOException {
        assertThat(Files.readString(Path.of("README.md")))
                .contains(
                        OffersSettings.KEYS.stream().map(key -> "`" + key + "`").toList());
    }

    @Test
    void coresLimitTheNumberOfExecutors() {
        ExecutorSize size = new ExecutorSize(4, 1000);
        assertThat(ExecutorLimits.of(conf(), size).expected())
                .as("unknown before")
                .isZero();
        assertThat(ExecutorLimits.of(conf("spark.cores.max", "11"), size).most())
                .isEqualTo(2);
        assertThat(ExecutorLimits.of(conf("spark.executor.instances", "7"), size)
                        .expected())
                .isEqualTo(7);
        assertThat(ExecutorLimits.of(conf("spark.task.cpus", "3"), size).tasksPerExecutor())
                .isEqualTo(1);
        assertThatThrownBy(() -> ExecutorLimits.of(conf("spark.cores.max", "3"), size))
                .hasMessageContaining("spark.cores.max = 3 is less than spark.executor.cores = 4");
    }

    @Test
    void anExecutorThatFitsNoNodeIsRefused() throws IOException {
        NodeSizes nodes = NodeSizes.parse(new ObjectMapper()
                .readTree("{\"slaves\":[{\"resources\":{\"cpus\":4.0,\"mem\":2000}},"
                        + "{\"resources\":{\"cpus\":2.0,\"mem\":8000}}]}"));
        assertThat(nodes.problem(new ExecutorSize(4, 2000))).isEmpty();
        assertThat(nodes.problem(new ExecutorSize(4, 2001))).contains("no node is that large");
        assertThat(NodeSizes.parse(new ObjectMapper().readTree("{}")).problem(new ExecutorSize(99, 1)))
                .isEmpty();
    }
}
