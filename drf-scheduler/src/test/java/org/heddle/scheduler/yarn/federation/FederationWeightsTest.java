// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.federation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.federation.store.FederationStateStore;
import org.apache.hadoop.yarn.server.federation.store.impl.MemoryFederationStateStore;
import org.apache.hadoop.yarn.server.federation.store.records.DeleteSubClusterPoliciesConfigurationsRequest;
import org.apache.hadoop.yarn.server.federation.store.records.SetSubClusterPolicyConfigurationRequest;
import org.apache.hadoop.yarn.server.federation.utils.FederationStateStoreFacade;
import org.heddle.scheduler.yarn.RmFixture;
import org.heddle.testkit.Await;
import org.heddle.testkit.logs.LogCapture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ResourceManager of a federation, sub-cluster sc1, with Hadoop's store in memory. */
class FederationWeightsTest {
    private static final String SPEC = "<heddle-scheduler version=\"1\"><queue name=\"root\">"
            + "<queue name=\"a\"/><queue name=\"b\"><weight>3</weight></queue></queue></heddle-scheduler>";
    private static final String[] FEDERATED = {
        "yarn.federation.enabled", "true",
        "yarn.resourcemanager.cluster-id", "sc1",
        "yarn.federation.state-store.class", MemoryFederationStateStore.class.getName(),
        "yarn.scheduler.heddle.federation.interval-ms", "50",
    };

    @TempDir
    Path directory;

    private static void put(FederationStateStore store, String queue, double first, double second)
            throws YarnException {
        store.setPolicyConfiguration(SetSubClusterPolicyConfigurationRequest.newInstance(
                WeightRecords.policy(queue, Map.of("sc1", first, "sc2", second))));
    }

    private static double weight(RmFixture fixture, String path) {
        fixture.scheduler().update();
        return fixture.schedulable(path).weight();
    }

    private static void awaitWeight(RmFixture fixture, String path, double wanted) {
        Await.until(
                path + " to have the weight " + wanted,
                Duration.ofSeconds(20),
                () -> Math.abs(weight(fixture, path) - wanted) < 1e-6,
                () -> "it has " + weight(fixture, path));
    }

    @Test
    void weightsOfThisSubClusterTakeThePlaceOfTheConfiguredOnes() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, SPEC, FEDERATED)) {
            FederationStateStore store =
                    FederationStateStoreFacade.getInstance(fixture.conf).getStateStore();
            fixture.node("127.2.0.1", 10_000, 10);
            put(store, "heddle-weights:root.a", 0.5, 0.1);
            awaitWeight(fixture, "a", 1);
            assertThat(weight(fixture, "b"))
                    .as("b has no weight in the store yet")
                    .isEqualTo(3);

            put(store, "heddle-weights:root.b", 0.25, 0.9);
            put(store, "root.b", 0.7, 0.7); // an ordinary policy
            awaitWeight(fixture, "b", 0.25);
            assertThat(weight(fixture, "a")).isCloseTo(0.5, within(1e-6));
            assertThat(fixture.scheduler().snapshot().root().queues())
                    .filteredOn(queue -> queue.name().equals("b"))
                    .singleElement()
                    .satisfies(queue -> assertThat(queue.configuredWeight()).isEqualTo(3));

            RmFixture.App a = fixture.unmanaged("alice", "a");
            RmFixture.App b = fixture.unmanaged("bob", "b");
            a.ask(100, 1_000, 1);
            b.ask(100, 1_000, 1);
            fixture.heartbeat();
            assertThat(a.collect().containers).as("two thirds of ten").hasSizeBetween(6, 7);
            assertThat(b.collect().containers).hasSizeBetween(3, 4);

            fixture.write(SPEC.replace("<weight>3", "<weight>4"));
            fixture.scheduler().reinitialize(fixture.conf, fixture.rm.getRMContext());
            assertThat(fixture.schedulable("b").weight())
                    .as("after the file was read again")
                    .isCloseTo(0.25, within(1e-6));

            store.deletePoliciesConfigurations(DeleteSubClusterPoliciesConfigurationsRequest.newInstance(
                    java.util.List.of("heddle-weights:root.a", "heddle-weights:root.b")));
            awaitWeight(fixture, "b", 4);
            assertThat(weight(fixture, "a")).isEqualTo(1);
            a.end();
            b.end();
        }
    }

    @Test
    void withoutAFederationOrWithTheIntervalZeroNothingIsRead() {
        org.apache.hadoop.conf.Configuration conf = new org.apache.hadoop.conf.Configuration(false);
        assertThat(StoredWeights.areWanted(conf)).isFalse();
        conf.setBoolean("yarn.federation.enabled", true);
        assertThat(StoredWeights.areWanted(conf)).isTrue();
        conf.set("yarn.scheduler.heddle.federation.interval-ms", "0");
        assertThat(StoredWeights.areWanted(conf)).isFalse();
    }

    @Test
    void storeThatCannotBeReadLeavesTheLastWeights() {
        boolean[] broken = {false};
        StoredWeights weights = new StoredWeights(
                () -> {
                    if (broken[0]) {
                        throw new YarnException("no connection");
                    }
                    return Map.of("root.a", 0.5);
                },
                1_000);
        weights.read();
        broken[0] = true;
        try (LogCapture log = LogCapture.of(StoredWeights.class.getName())) {
            weights.read();
            weights.read();

            assertThat(weights.latest()).containsExactly(Map.entry("root.a", 0.5));
            assertThat(log.lines())
                    .singleElement()
                    .satisfies(line -> assertThat(line.message())
                            .contains("cannot be read")
                            .contains("root.a=0.5"));
        }
        weights.stop();
    }
}
