// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.gpg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.federation.policies.manager.HomePolicyManager;
import org.apache.hadoop.yarn.server.federation.store.impl.MemoryFederationStateStore;
import org.apache.hadoop.yarn.server.federation.store.records.GetSubClusterPoliciesConfigurationsRequest;
import org.apache.hadoop.yarn.server.federation.store.records.SetSubClusterPolicyConfigurationRequest;
import org.apache.hadoop.yarn.server.federation.store.records.SubClusterDeregisterRequest;
import org.apache.hadoop.yarn.server.federation.store.records.SubClusterId;
import org.apache.hadoop.yarn.server.federation.store.records.SubClusterInfo;
import org.apache.hadoop.yarn.server.federation.store.records.SubClusterPolicyConfiguration;
import org.apache.hadoop.yarn.server.federation.store.records.SubClusterRegisterRequest;
import org.apache.hadoop.yarn.server.federation.store.records.SubClusterState;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.heddle.scheduler.federation.SubCluster;
import org.heddle.scheduler.yarn.federation.WeightRecords;
import org.heddle.settings.Clocks;
import org.heddle.testkit.logs.LogCapture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Passes over two sub-clusters with Hadoop's store in memory: a is in sc1 only, b in both. */
class PolicyPassTest {
    private static final long HOUR = 3_600_000;

    private final MemoryFederationStateStore store = new MemoryFederationStateStore();
    private final Map<String, SubCluster> answers = new HashMap<>();
    private long millis = 500;
    private long date = PolicyPass.NODES_RETURN.toMillis();

    @BeforeEach
    void twoSubClusters() throws Exception {
        store.init(new Configuration(false));
        Logger.getLogger(PolicyPass.class).setLevel(Level.INFO);
        register("sc1", SubClusterState.SC_RUNNING, 0);
        register("sc2", SubClusterState.SC_RUNNING, 0);
        answers.put("sc1", cluster("sc1", queue("root.teams.a", 1), queue("root.teams.b", 1)));
        answers.put("sc2", cluster("sc2", queue("root.teams.b", 1)));
    }

    private void register(String id, SubClusterState state, long startMillis) throws Exception {
        String address = id + ":1";
        store.registerSubCluster(SubClusterRegisterRequest.newInstance(SubClusterInfo.newInstance(
                SubClusterId.newInstance(id), address, address, address, address, state, startMillis, "none")));
    }

    @AfterEach
    void close() throws Exception {
        store.close();
        Logger.getLogger(PolicyPass.class).setLevel(null);
    }

    private static SubCluster.Queue queue(String path, double weight) {
        return new SubCluster.Queue(
                path, weight, Map.of(), Map.of("memory-mb", 5_000L, "vcores", 500L), Map.of(), List.of());
    }

    private static SubCluster cluster(String id, SubCluster.Queue... queues) {
        SubCluster.Queue teams = new SubCluster.Queue("root.teams", 1, Map.of(), Map.of(), Map.of(), List.of(queues));
        return new SubCluster(
                id,
                Map.of("memory-mb", 1_000L, "vcores", 100L),
                new SubCluster.Queue("root", 1, Map.of(), Map.of(), Map.of(), List.of(teams)));
    }

    private PolicyPass pass(boolean readOnly, String... leftOut) {
        return new PolicyPass(store, this::read, List.of(leftOut), readOnly, new Clocks(() -> millis, () -> date));
    }

    private SubCluster read(SubClusterInfo info) throws IOException {
        SubCluster answer = answers.get(info.getSubClusterId().getId());
        if (answer == null) {
            throw new IOException("sub-cluster " + info.getSubClusterId() + " gives no answer");
        }
        return answer;
    }

    private Map<String, SubClusterPolicyConfiguration> policies() throws Exception {
        Map<String, SubClusterPolicyConfiguration> policies = new HashMap<>();
        store.getPoliciesConfigurations(GetSubClusterPoliciesConfigurationsRequest.newInstance())
                .getPoliciesConfigs()
                .forEach(policy -> policies.put(policy.getQueue(), policy));
        return policies;
    }

    private double number(String policy, String cluster) throws Exception {
        SubClusterPolicyConfiguration found = Objects.requireNonNull(policies().get(policy), policy);
        return Objects.requireNonNull(WeightRecords.numbers(found).get(cluster), cluster);
    }

    private String type(String policy) throws Exception {
        return Objects.requireNonNull(policies().get(policy), policy).getType();
    }

    @Test
    void policiesAndWeightsOfEveryQueueAreWritten() throws Exception {
        pass(false).run();

        assertThat(new TreeSet<>(policies().keySet()))
                .isEqualTo(new TreeSet<>(Set.of(
                        "a",
                        "b",
                        "root.teams.a",
                        "root.teams.b",
                        "heddle-weights:root.teams",
                        "heddle-weights:root.teams.a",
                        "heddle-weights:root.teams.b")));
        // Each has half of the whole, so a has all of sc1.
        assertThat(number("heddle-weights:root.teams.a", "sc1")).isCloseTo(1, within(0.01));
        assertThat(number("heddle-weights:root.teams.b", "sc1")).isLessThan(0.01);
        assertThat(number("heddle-weights:root.teams.b", "sc2")).isCloseTo(1, within(0.01));
        assertThat(number("b", "sc2") / number("b", "sc1")).isGreaterThan(50);
        assertThat(type("b")).contains("WeightedLocalityPolicyManager");
    }

    @Test
    void whatHasNotChangedIsNotWrittenAgain() throws Exception {
        try (LogCapture log = LogCapture.of(PolicyPass.class.getName())) {
            pass(false).run();
            int first = log.lines().size();
            pass(false).run();
            assertThat(first).isEqualTo(3);
            assertThat(log.lines()).hasSize(first);
        }
    }

    @Test
    void subClusterWithoutAnAnswerLeavesAllAsItIsAndIsNamedOnce() throws Exception {
        PolicyPass pass = pass(false);
        pass.run();
        Map<String, SubClusterPolicyConfiguration> before = policies();
        answers.put("sc1", cluster("sc1", queue("root.teams.a", 9), queue("root.teams.c", 1)));
        SubCluster second = Objects.requireNonNull(answers.remove("sc2"));
        try (LogCapture log = LogCapture.of(PolicyPass.class.getName())) {
            assertThat(pass.run()).isNull();
            pass.run();

            assertThat(policies()).isEqualTo(before);
            assertThat(log.lines()).hasSize(1);
            assertThat(log.lines().get(0).message())
                    .contains("sub-cluster sc2 gives no answer")
                    .contains("stay as they are")
                    .contains("yarn.federation.gpg.policy.generator.blacklist");

            answers.put("sc2", second);
            assertThat(pass.run()).isNotNull();
            assertThat(log.lines())
                    .extracting(LogCapture.Line::message)
                    .contains("All sub-clusters can be planned with again");
            assertThat(policies()).containsKey("heddle-weights:root.teams.c");
        }
    }

    /** A ResourceManager that ends in good order leaves the federation; YARN sends it nothing until it is back. */
    @Test
    void subClusterThatHasLeftKeepsItsNumbersForItsReturn() throws Exception {
        PolicyPass pass = pass(false);
        pass.run();
        double before = number("root.teams.b", "sc2");
        store.deregisterSubCluster(SubClusterDeregisterRequest.newInstance(
                SubClusterId.newInstance("sc2"), SubClusterState.SC_UNREGISTERED));
        answers.remove("sc2");

        assertThat(pass.run()).isNotNull();

        assertThat(number("heddle-weights:root.teams.a", "sc1"))
                .as("now sc1 is the whole")
                .isCloseTo(0.5, within(0.01));
        assertThat(number("root.teams.b", "sc1")).isCloseTo(1, within(0.01));
        assertThat(number("root.teams.b", "sc2")).isCloseTo(before, within(1e-6));
    }

    /**
     * A ResourceManager that was killed registers again, and only its first heartbeat to the store makes it a running
     * one. Its nodes come back later; without them it would be planned around.
     */
    @ParameterizedTest
    @ValueSource(longs = {0, HOUR, -HOUR})
    void nothingIsWrittenUntilTheNodesOfAResourceManagerThatStartsAgainAreBack(long step) throws Exception {
        PolicyPass pass = pass(false);
        pass.run();
        Map<String, SubClusterPolicyConfiguration> before = policies();
        register("sc2", SubClusterState.SC_NEW, date);
        SubCluster whole = Objects.requireNonNull(answers.get("sc2"));
        answers.put("sc2", new SubCluster("sc2", Map.of("memory-mb", 0L, "vcores", 0L), whole.root()));
        try (LogCapture log = LogCapture.of(PolicyPass.class.getName())) {
            assertThat(pass.run()).isNull();
            assertThat(policies()).isEqualTo(before);
            assertThat(log.lines()).hasSize(1);
            assertThat(log.lines().get(0).message()).contains("sub-cluster sc2 has just started: for 60 s");
        }

        answers.put("sc2", whole);
        date += step;
        millis += PolicyPass.NODES_RETURN.toMillis() - 1;
        assertThat(pass.run()).isNull();
        millis++;
        assertThat(pass.run()).isNotNull();
        assertThat(policies()).isEqualTo(before);
    }

    @Test
    void subClustersOfTheBlacklistGetNothing() throws Exception {
        answers.remove("sc1");
        pass(false, "sc1").run();

        assertThat(policies()).doesNotContainKey("root.teams.a");
        assertThat(WeightRecords.numbers(Objects.requireNonNull(policies().get("root.teams.b"))))
                .containsOnlyKeys("sc2");
    }

    @Test
    void readOnlyWritesNothing() throws Exception {
        try (LogCapture log = LogCapture.of(PolicyPass.class.getName())) {
            assertThat(pass(true).run()).isNotNull();

            assertThat(policies()).isEmpty();
            assertThat(log.lines())
                    .extracting(LogCapture.Line::message)
                    .anyMatch(line -> line.startsWith("Read only, would write: root.teams.b has 0.0 %"));
        }
    }

    @Test
    void policyOfAnAdministratorStays() throws Exception {
        HomePolicyManager home = new HomePolicyManager();
        home.setQueue("root.teams.b");
        store.setPolicyConfiguration(SetSubClusterPolicyConfigurationRequest.newInstance(home.serializeConf()));

        pass(false).run();

        assertThat(type("root.teams.b")).isEqualTo(HomePolicyManager.class.getName());
        assertThat(policies()).containsKey("heddle-weights:root.teams.b");
    }

    @Test
    void anotherSchedulerIsNamed() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/ws/v1/cluster/scheduler", exchange -> {
            byte[] body = "{\"scheduler\":{\"schedulerInfo\":{\"type\":\"capacityScheduler\"}}}"
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        String web = "http://" + server.getAddress().getHostString() + ":"
                + server.getAddress().getPort();
        try {
            assertThatThrownBy(() -> SubClusterWeb.read("sc7", web))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("sub-cluster sc7 at " + web + ": the ResourceManager at " + web
                            + " runs CapacityScheduler");
        } finally {
            server.stop(0);
        }
        assertThatThrownBy(() -> SubClusterWeb.read("sc7", web))
                .hasMessageContaining("sub-cluster sc7 at " + web + ": there is no answer from " + web);
    }
}
