// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.QueueInfo;
import org.apache.hadoop.yarn.api.records.QueueStatistics;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceBlacklistRequest;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.client.api.impl.YarnClientImpl;
import org.apache.hadoop.yarn.client.cli.QueueCLI;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.MemoryRMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.heddle.scheduler.snapshot.Waiting;
import org.heddle.scheduler.snapshot.Waiting.Kind;
import org.heddle.scheduler.yarn.RmFixture;
import org.heddle.scheduler.yarn.node.Feasibility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What stock clients, the page and {@code why} tell of queues and applications is so. */
@Tag("newer-line")
class SchedulerReportsTest {
    private static final String A = "127.1.0.1";
    private static final String B = "127.1.0.2";
    private static final String WEIGHTS = "<heddle-scheduler version=\"1\"><queue name=\"root\">"
            + "<queue name=\"a\"><weight>1</weight></queue>"
            + "<queue name=\"b\"><weight>2</weight><queue name=\"x\"/><queue name=\"y\"/></queue>"
            + "<queue name=\"c\"><weight>1</weight></queue>"
            + "<queue name=\"default\"><max-resources><resource name=\"vcores\">1</resource></max-resources></queue>"
            + "</queue></heddle-scheduler>";

    @TempDir
    Path directory;

    /** Hadoop's client without the network: its calls reach the ResourceManager's service. */
    private static final class Client extends YarnClientImpl {
        Client(RmFixture fixture) {
            rmClient = fixture.rm.getClientRMService();
        }

        /** The service is not this client's to stop. */
        @Override
        protected void serviceStop() {}
    }

    /** {@code yarn queue} with that client; its own would look for a port that a mock has not got. */
    private static final class Queues extends QueueCLI {
        private final RmFixture fixture;

        Queues(RmFixture fixture) {
            this.fixture = fixture;
        }

        @Override
        protected void createAndStartYarnClient() {
            client = new Client(fixture);
        }
    }

    /** What {@code yarn top} shows: the sum over {@code getRootQueueInfos}. */
    private static long top(RmFixture fixture, ToLongFunction<QueueStatistics> value) throws Exception {
        try (Client client = new Client(fixture)) {
            return client.getRootQueueInfos().stream()
                    .map(QueueInfo::getQueueStatistics)
                    .mapToLong(value)
                    .sum();
        }
    }

    private static long available(RmFixture fixture, String queue) throws Exception {
        return fixture.scheduler()
                .getQueueInfo(queue, false, false)
                .getQueueStatistics()
                .getAvailableVCores();
    }

    private static Waiting why(RmFixture fixture, RMApp app) {
        return Objects.requireNonNull(
                fixture.scheduler().why(app.getApplicationId().toString()));
    }

    @Test
    void yarnTopAddsUpToWhatIsFree() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, WEIGHTS)) {
            fixture.node(A, 6_000, 6);
            fixture.node(B, 6_000, 6);
            fixture.shell().update();
            assertThat(top(fixture, QueueStatistics::getAvailableVCores)).isEqualTo(12);
            assertThat(top(fixture, QueueStatistics::getAvailableMemoryMB)).isEqualTo(12_000);
            assertThat(available(fixture, "default")).as("its limit").isEqualTo(1);
            assertThat(available(fixture, "b")).as("half of the other eleven").isBetween(5L, 6L);
            assertThat(available(fixture, "b.x") + available(fixture, "b.y")).isEqualTo(available(fixture, "b"));

            RmFixture.App greedy = fixture.unmanaged("alice", "a").ask(9, 1_000, 1);
            fixture.heartbeat();
            fixture.heartbeat();
            greedy.collect();
            fixture.shell().update();
            assertThat(greedy.containers).hasSize(9);
            assertThat(top(fixture, QueueStatistics::getAllocatedVCores)).isEqualTo(9);
            assertThat(top(fixture, QueueStatistics::getAvailableVCores))
                    .as("no more than is free, whatever the others are entitled to")
                    .isEqualTo(3);
            assertThat(available(fixture, "a")).as("above what is its due").isZero();
            assertThat(fixture.scheduler().getRootQueueMetrics().getAvailableVirtualCores())
                    .isEqualTo(3);
            greedy.end();
        }
    }

    @Test
    void yarnQueueStatusSaysWhatIsConfigured() throws Exception {
        String tree = "<heddle-scheduler version=\"1\"><queue name=\"root\">"
                + "<queue name=\"b\"><weight>2.5</weight><max-running-apps>7</max-running-apps><max-resources>"
                + "<resource name=\"memory-mb\">50%</resource><resource name=\"vcores\">9</resource></max-resources>"
                + "<queue name=\"x\"><max-resources><resource name=\"vcores\">25%</resource></max-resources></queue>"
                + "</queue><queue name=\"default\"/></queue></heddle-scheduler>";
        try (RmFixture fixture = new RmFixture(directory, tree)) {
            assertThat(status(fixture, "b")).as("no cluster yet").contains("Maximum Capacity : 100.00%");
            fixture.node(A, 12_000, 12);
            assertThat(status(fixture, "b"))
                    .contains("\tWeight : 2.50\n", "\tMaximum Parallel Apps : 7\n", "\tMaximum Capacity : 50.00%\n");
            assertThat(status(fixture, "root.b.x"))
                    .as("a quarter of the cores of a queue that may have 9 of 12")
                    .contains("\tWeight : 1.00\n", "\tMaximum Capacity : 33.33%\n");
            assertThat(status(fixture, "default")).contains("\tMaximum Capacity : 100.00%\n");
        }
    }

    @Test
    void andSoItDoesOfAFairSchedulerXml() throws Exception {
        Path fair = Files.writeString(
                directory.resolve("fair-scheduler.xml"),
                "<allocations><queue name='b'><weight>2.5</weight><maxRunningApps>7</maxRunningApps>"
                        + "<maxResources>6000 mb, 6 vcores</maxResources></queue>"
                        + "<queue name='c'/><queueMaxAppsDefault>11</queueMaxAppsDefault></allocations>");
        try (RmFixture fixture =
                new RmFixture(directory, WEIGHTS, "yarn.scheduler.heddle.configuration.file", fair.toString())) {
            fixture.node(A, 12_000, 12);
            assertThat(status(fixture, "root.b"))
                    .contains("\tWeight : 2.50\n", "\tMaximum Parallel Apps : 7\n", "\tMaximum Capacity : 50.00%\n");
            assertThat(status(fixture, "root.c")).contains("\tWeight : 1.00\n", "\tMaximum Parallel Apps : 11\n");
        }
    }

    private static String status(RmFixture fixture, String queue) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Queues command = new Queues(fixture);
        command.setConf(fixture.conf);
        command.setSysOutPrintStream(new PrintStream(out, true, StandardCharsets.UTF_8));
        assertThat(command.run(new String[] {"-status", queue})).isZero();
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aMasterThatRunsAndHasNotRegisteredIsNamed() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.atHeartbeats(WEIGHTS))) {
            fixture.node(A, 6_000, 6);
            RMApp app = fixture.submit("alice", "a", 1_000);
            MockRM.waitForAttemptScheduled(app, fixture.rm);
            assertThat(why(fixture, app).reasons())
                    .extracting(Waiting.Reason::kind)
                    .containsExactly(Kind.NEXT_HEARTBEAT);

            fixture.heartbeat();
            MockAM am = fixture.rm.sendAMLaunched(app.getCurrentAppAttempt().getAppAttemptId());
            fixture.rm.drainEvents();
            assertThat(why(fixture, app).reasons())
                    .extracting(Waiting.Reason::kind)
                    .containsExactly(Kind.MASTER_NOT_REGISTERED);
            assertThat(why(fixture, app).summary())
                    .contains("was placed on " + A + ":1234 at ", "the node has not reported yet that it runs");

            fixture.node(A).nodeHeartbeat(app.getCurrentAppAttempt().getAppAttemptId(), 1, ContainerState.RUNNING);
            fixture.rm.drainEvents();
            assertThat(why(fixture, app).summary())
                    .startsWith("its ApplicationMaster has run on " + A + ":1234 since 20")
                    .contains(
                            "and has not registered with the ResourceManager",
                            "yarn.resourcemanager.scheduler.address",
                            "yarn logs -applicationId " + app.getApplicationId() + " -am -1");

            am.registerAppAttempt(false);
            fixture.rm.drainEvents();
            assertThat(why(fixture, app).summary())
                    .isEqualTo("its ApplicationMaster is registered and asks for no container");
        }
    }

    /** Found in a soak that kills ResourceManagers: it was told that a client runs the ApplicationMaster. */
    @Test
    void aMasterThatWasNotStartedBeforeARestartIsNamed() throws Exception {
        MemoryRMStateStore store = new MemoryRMStateStore();
        store.init(new YarnConfiguration());
        try (RmFixture fixture = new RmFixture(
                directory,
                RmFixture.atHeartbeats(WEIGHTS), // waits until it is scheduled
                store,
                "yarn.resourcemanager.recovery.enabled",
                "true",
                YarnConfiguration.RM_AM_EXPIRY_INTERVAL_MS,
                "120000")) {
            fixture.node(A, 6_000, 6);
            RMApp before = fixture.submit("alice", "a", 1_000);
            MockRM.waitForAttemptScheduled(before, fixture.rm);
            fixture.heartbeat();
            fixture.rm.sendAMLaunched(before.getCurrentAppAttempt().getAppAttemptId());
            fixture.rm.drainEvents();

            fixture.restart(store);
            fixture.node(A).registerNode();
            fixture.rm.drainEvents();
            RMApp after =
                    Objects.requireNonNull(fixture.rm.getRMContext().getRMApps().get(before.getApplicationId()));
            assertThat(why(fixture, after).reasons())
                    .extracting(Waiting.Reason::kind)
                    .containsExactly(Kind.MASTER_NOT_REGISTERED);
            assertThat(why(fixture, after).summary())
                    .contains(
                            "was being started on " + A + ":1234",
                            "no node has reported that container",
                            YarnConfiguration.RM_AM_EXPIRY_INTERVAL_MS + " = 120000");
        }
    }

    /** A cluster that is full and fair: everybody waits, and nobody has an obstacle. */
    @Test
    void whoWaitsForOthersHasNoObstacle() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, WEIGHTS)) {
            fixture.node(A, 12_000, 12);
            List<RmFixture.App> apps = List.of(fixture.unmanaged("alice", "a"), fixture.unmanaged("bob", "b.x"));
            for (RmFixture.App app : apps) {
                app.ask(50, 1_000, 1);
            }
            fixture.heartbeat();
            fixture.heartbeat();
            fixture.heartbeat();
            for (String path : List.of("", "a", "a/alice", "b", "b/x/bob")) {
                assertThat(fixture.schedulable(path).blocked()).as(path).isTrue();
                assertThat(fixture.schedulable(path).obstacle()).as(path).isEmpty();
            }
        }
    }

    @Test
    void whoCannotBeServedHasOneAndSoHaveTheQueuesAboveThatHaveNobodyElse() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, WEIGHTS)) {
            fixture.node(A, 6_000, 6);
            fixture.node(B, 8_000, 8);
            RmFixture.App limited = fixture.unmanaged("alice", "default").ask(5, 1_000, 1);
            RmFixture.App large = fixture.unmanaged("bob", "b.x");
            ask(fixture, large, 7_000, ResourceBlacklistRequest.newInstance(List.of(B), List.of()));
            RmFixture.App picky = fixture.unmanaged("carol", "c");
            ask(fixture, picky, 1_000, ResourceBlacklistRequest.newInstance(List.of(A, B), List.of()));
            fixture.heartbeat();
            limited.collect();
            fixture.heartbeat();
            assertThat(limited.containers).hasSize(1);
            assertThat(fixture.schedulable("default").obstacle()).isEqualTo("at the limit of queue root.default");
            assertThat(fixture.schedulable("b/x/bob").obstacle()).isEqualTo("larger than any node that it may use");
            assertThat(fixture.schedulable("b").obstacle()).isEqualTo("larger than any node that it may use");
            assertThat(fixture.schedulable("c/carol").obstacle()).isEqualTo("all nodes are on its blacklist");
            assertThat(fixture.schedulable("").obstacle()).isEqualTo("none of those below can be served");

            ask(fixture, large, 7_000, ResourceBlacklistRequest.newInstance(List.of(), List.of(B)));
            assertThat(fixture.schedulable("b/x/bob").obstacle())
                    .as("fits the other node")
                    .isEmpty();
            assertThat(fixture.schedulable("b").obstacle()).isEmpty();
            assertThat(fixture.schedulable("").obstacle()).isEmpty();
        }
    }

    @Test
    void obstaclesOfManyAreTestedInTurnsAndRememberedForAWhile() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, WEIGHTS)) {
            fixture.node(A, 6_000, 6);
            for (int i = 0; i < 7; i++) {
                ask(
                        fixture,
                        fixture.unmanaged("user" + i, "c"),
                        1_000,
                        ResourceBlacklistRequest.newInstance(i == 3 ? List.of() : List.of(A), List.of()));
            }
            Feasibility feasibility = fixture.reports().explainer().feasibility();
            StaticVetoes inTurns = new StaticVetoes(fixture.shell().engine(), feasibility, 3);
            assertThat(without(fixture, inTurns, 1_000)).as("one look").hasSizeBetween(2, 3);
            assertThat(without(fixture, inTurns, 2_000)).as("two looks").hasSizeBetween(5, 6);
            assertThat(without(fixture, inTurns, 3_000))
                    .as("all but the one without a blacklist")
                    .hasSize(6);
            assertThat(without(fixture, inTurns, 4_000))
                    .as("from the start again")
                    .hasSize(6);

            StaticVetoes all = new StaticVetoes(fixture.shell().engine(), feasibility, 7);
            assertThat(without(fixture, all, 4_000)).isEqualTo(without(fixture, inTurns, 5_000));
            assertThat(without(fixture, inTurns, 5_000 + StaticVetoes.REMEMBERED_MILLIS))
                    .as("the others' results are too old")
                    .hasSizeLessThan(4);
        }
    }

    private static Set<String> without(RmFixture fixture, StaticVetoes vetoes, long nowMillis) {
        Set<String> applications = new TreeSet<>();
        fixture.shell()
                .underLock(() -> vetoes.look(List.of(fixture.seen(A)), nowMillis)
                        .forEach((one, obstacle) -> {
                            assertThat(obstacle).isEqualTo("all nodes are on its blacklist");
                            if (one.isLeaf()) {
                                applications.add(one.name());
                            }
                        }));
        return applications;
    }

    private static void ask(RmFixture fixture, RmFixture.App app, int memory, ResourceBlacklistRequest blacklist)
            throws Exception {
        app.am.allocate(AllocateRequest.newInstance(
                app.am.getResponseId(),
                0f,
                List.of(ResourceRequest.newInstance(Priority.newInstance(1), "*", Resource.newInstance(memory, 1), 2)),
                List.of(),
                blacklist));
        fixture.rm.drainEvents();
    }

    @Test
    void aFairShareIsWhatIsServed() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, WEIGHTS)) {
            fixture.node(A, 12_000, 12);
            fixture.unmanaged("alice", "a").ask(1, 1_000, 1);
            fixture.unmanaged("bob", "b.x").ask(50, 1_000, 1);
            fixture.heartbeat();
            assertThat("%.6f".formatted(fixture.schedulable("a/alice").fairShare()))
                    .isEqualTo("0.083333");
            assertThat("%.5f".formatted(fixture.schedulable("b").fairShare())).isEqualTo("0.91667");
        }
    }
}
