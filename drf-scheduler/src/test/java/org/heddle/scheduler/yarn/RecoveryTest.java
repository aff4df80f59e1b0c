// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.protocolrecords.RefreshQueuesRequest;
import org.apache.hadoop.yarn.server.resourcemanager.RMContextImpl;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.MemoryRMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.util.SystemClock;
import org.heddle.scheduler.yarn.app.HeddleApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A ResourceManager starts anew while containers run on. */
class RecoveryTest {
    private static final String A = "127.1.0.1";
    private static final String TWO_LEAVES = "<heddle-scheduler version=\"1\"><queue name=\"root\">"
            + "<queue name=\"default\"/><queue name=\"other\"/></queue></heddle-scheduler>";

    @TempDir
    Path directory;

    @Test
    void containersAndTheUsageOfQueuesUsersAndMastersAreKnownAgain() throws Exception {
        MemoryRMStateStore store = store();
        try (RmFixture fixture =
                new RmFixture(directory, TWO_LEAVES, store, "yarn.resourcemanager.recovery.enabled", "true")) {
            fixture.node(A, 8_000, 8);
            RmFixture.App app = fixture.managed("alice", "other", 1_000);
            app.ask(2, 2_000, 1);
            fixture.heartbeat();
            app.collect();
            fixture.run(app.containers);
            RmFixture.App again = restart(fixture, store, app);

            assertThat(fixture.schedulable("other/alice").usage()).containsEntry("memory-mb", 5_000L);
            assertThat(fixture.schedulable("other/alice").runningContainers()).isEqualTo(3);
            assertThat(fixture.queue("root.other").masters()).isEqualTo(1);
            assertThat(fixture.queue("root.other").masterUsage(0)).isEqualTo(1_000);
            assertThat(RmFixture.busy(fixture.queue("root.other").getMetrics()))
                    .startsWith("allocated 5000 MB 3 cores 3 containers, pending 0 MB");
            assertThat(fixture.seen(A).getUnallocatedResource().getMemorySize()).isEqualTo(3_000);

            again.am.registerAppAttempt(false);
            again.ask(2, 1_000, 1);
            fixture.heartbeat();
            assertThat(again.collect().containers).hasSize(2);
            again.end();
            fixture.finish(app.containers);
            fixture.assertNothingLeft();
        }
    }

    /** Until the wait of the ResourceManager is over, nodes may not have reported yet what runs on them. */
    @ParameterizedTest
    @ValueSource(strings = {"heartbeat", "immediate"})
    void nothingIsAllocatedBeforeTheNodesHaveHadTimeToReport(String allocation) throws Exception {
        MemoryRMStateStore store = store();
        try (RmFixture fixture =
                new RmFixture(directory, TWO_LEAVES, store, "yarn.resourcemanager.recovery.enabled", "true")) {
            fixture.node(A, 8_000, 8);
            RmFixture.App app = fixture.managed("alice", "other", 1_000);
            fixture.write(TWO_LEAVES.replaceFirst("<queue", "<allocation>" + allocation + "</allocation>$0"));
            fixture.conf.setLong(YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_SCHEDULING_WAIT_MS, 60_000);
            fixture.restart(store);
            FakeClock time = new FakeClock(SystemClock.getInstance().getTime());
            ((RMContextImpl) fixture.rm.getRMContext()).setSystemClock(time);
            register(fixture, app);
            RmFixture.App again = recovered(fixture, app);
            again.am.registerAppAttempt(false);
            again.ask(2, 1_000, 1);
            fixture.heartbeat();
            fixture.scheduler().update();
            assertThat(again.collect().containers).as("during the wait").isEmpty();

            time.tick(61_000);
            fixture.heartbeat();
            assertThat(again.collect().containers).as("after it").hasSize(2);
        }
    }

    /** An application with two containers beside its master, in a queue of the file. */
    private static RmFixture.App runsInOther(RmFixture fixture) throws Exception {
        fixture.node(A, 8_000, 8);
        RmFixture.App app = fixture.managed("alice", "other", 1_000);
        app.ask(2, 2_000, 1);
        fixture.heartbeat();
        app.collect();
        fixture.run(app.containers);
        return app;
    }

    /** The file has lost the queue when the ResourceManager starts again. */
    private static RmFixture.App restartWithoutOther(RmFixture fixture, MemoryRMStateStore store, RmFixture.App app)
            throws Exception {
        fixture.write(RmFixture.ONE_LEAF);
        RmFixture.App again = restart(fixture, store, app);
        assertThat(again.app.getQueue()).isEqualTo("root.recovered");
        return again;
    }

    @Test
    void anApplicationWhoseQueueVanishedContinuesInRootRecovered() throws Exception {
        MemoryRMStateStore store = store();
        try (RmFixture fixture =
                new RmFixture(directory, TWO_LEAVES, store, "yarn.resourcemanager.recovery.enabled", "true")) {
            RmFixture.App app = runsInOther(fixture);
            RmFixture.App again = restartWithoutOther(fixture, store, app);
            assertThat(fixture.schedulable("recovered/alice").usage()).containsEntry("memory-mb", 5_000L);
            again.am.registerAppAttempt(false);
            again.end();
            fixture.finish(app.containers);
            fixture.assertNothingLeft();
        }
    }

    @Test
    void anApplicationGoesHomeWhenItsQueueIsBack() throws Exception {
        MemoryRMStateStore store = store();
        try (RmFixture fixture =
                new RmFixture(directory, TWO_LEAVES, store, "yarn.resourcemanager.recovery.enabled", "true")) {
            RmFixture.App app = runsInOther(fixture);
            RmFixture.App again = restartWithoutOther(fixture, store, app);
            fixture.write(TWO_LEAVES.replace("\"other\"/>", "\"other\"><state>stopped</state></queue>"));
            fixture.rm.getAdminService().refreshQueues(RefreshQueuesRequest.newInstance());
            assertThat(again.app.getQueue()).as("its queue takes none").isEqualTo("root.recovered");
            fixture.write(TWO_LEAVES);
            fixture.rm.getAdminService().refreshQueues(RefreshQueuesRequest.newInstance());

            assertThat(again.app.getQueue()).isEqualTo("root.other");
            assertThat(fixture.schedulable("other/alice").usage()).containsEntry("memory-mb", 5_000L);
            ClusterInvariants.balance(fixture.shell());
            again = restart(fixture, store, app);
            assertThat(again.app.getQueue()).as("after the next start").isEqualTo("root.other");
            again.am.registerAppAttempt(false);
            again.end();
            fixture.finish(app.containers);
            fixture.assertNothingLeft();
        }
    }

    @Test
    void whatIsGivenBackBeforeItsNodeIsHeardOfIsNobodysShareWhenItIs() throws Exception {
        MemoryRMStateStore store = store();
        try (RmFixture fixture =
                new RmFixture(directory, TWO_LEAVES, store, "yarn.resourcemanager.recovery.enabled", "true")) {
            fixture.node(A, 8_000, 8);
            RmFixture.App app = fixture.managed("alice", "other", 1_000);
            app.ask(2, 2_000, 1);
            fixture.heartbeat();
            app.collect();
            fixture.run(app.containers);
            fixture.restart(store);
            RmFixture.App again = recovered(fixture, app);
            again.am.registerAppAttempt(false);
            again.release(app.ids().get(0));
            register(fixture, app);

            assertThat(fixture.schedulable("other/alice").usage()).containsEntry("memory-mb", 3_000L);
            assertThat(fixture.seen(A).getUnallocatedResource().getMemorySize())
                    .as("until the node says that its process has ended")
                    .isEqualTo(3_000);
            ClusterInvariants.balance(fixture.shell());
            fixture.finish(app.containers);
            again.end();
            fixture.assertNothingLeft();
        }
    }

    @Test
    void aContainerCountsInThePartitionWhereItStartedAlsoWhenItsNodeHasAnotherNow() throws Exception {
        MemoryRMStateStore store = store();
        try (RmFixture fixture = new RmFixture(
                directory,
                TWO_LEAVES,
                store,
                "yarn.resourcemanager.recovery.enabled",
                "true",
                YarnConfiguration.NODE_LABELS_ENABLED,
                "true")) {
            fixture.node(A, 8_000, 8);
            RmFixture.App app = fixture.managed("alice", "other", 1_000);
            app.ask(2, 2_000, 1);
            fixture.heartbeat();
            app.collect();
            fixture.run(app.containers);
            fixture.restart(store);
            RMNodeLabelsManager labels = fixture.rm.getRMContext().getNodeLabelManager();
            labels.addToCluserNodeLabelsWithDefaultExclusivity(Set.of("own"));
            labels.replaceLabelsOnNode(Map.of(fixture.node(A).getNodeId(), Set.of("own")));
            register(fixture, app);

            assertThat(fixture.seen(A).getPartition()).isEqualTo("own");
            assertThat(fixture.queue("root.other").getMetrics().getAllocatedMB())
                    .isEqualTo(5_000);
            ClusterInvariants.balance(fixture.shell());
            RmFixture.App again = recovered(fixture, app);
            again.am.registerAppAttempt(false);
            fixture.finish(app.containers);
            ClusterInvariants.balance(fixture.shell());
            again.end();
            fixture.assertNothingLeft();
        }
    }

    @Test
    void anApplicationsPriorityChangedAtRunTimeIsKept() throws Exception {
        MemoryRMStateStore store = store();
        try (RmFixture fixture = new RmFixture(
                directory,
                TWO_LEAVES,
                store,
                "yarn.resourcemanager.recovery.enabled",
                "true",
                "yarn.cluster.max-application-priority",
                "10")) {
            fixture.node(A, 8_000, 8);
            RmFixture.App app = fixture.managed("alice", "other", 1_000);
            fixture.rm
                    .getClientRMService()
                    .updateApplicationPriority(
                            org.apache.hadoop.yarn.api.protocolrecords.UpdateApplicationPriorityRequest.newInstance(
                                    app.id(), Priority.newInstance(7)));
            assertThat(app.app.getApplicationPriority()).isEqualTo(Priority.newInstance(7));
            RmFixture.App again = restart(fixture, store, app);
            assertThat(again.app.getApplicationPriority()).isEqualTo(Priority.newInstance(7));
            assertThat(HeddleApplication.of(fixture.queue("root.other")))
                    .extracting(HeddleApplication::getPriority)
                    .containsExactly(Priority.newInstance(7));
        }
    }

    private static MemoryRMStateStore store() {
        MemoryRMStateStore store = new MemoryRMStateStore();
        store.init(new YarnConfiguration());
        return store;
    }

    private static RmFixture.App restart(RmFixture fixture, MemoryRMStateStore store, RmFixture.App app)
            throws Exception {
        fixture.restart(store);
        register(fixture, app);
        return recovered(fixture, app);
    }

    /** The node registers with all that runs on it. */
    private static void register(RmFixture fixture, RmFixture.App app) throws Exception {
        List<Container> running = new ArrayList<>(app.containers);
        running.add(app.app.getCurrentAppAttempt().getMasterContainer());
        fixture.node(A).registerNode(RmFixture.running(running), List.of(app.id()));
        fixture.rm.drainEvents();
    }

    /** The master carries on. */
    private static RmFixture.App recovered(RmFixture fixture, RmFixture.App app) {
        RMApp recovered =
                Objects.requireNonNull(fixture.rm.getRMContext().getRMApps().get(app.id()));
        app.am.setAMRMProtocol(fixture.rm.getApplicationMasterService(), fixture.rm.getRMContext());
        return fixture.new App(recovered, app.am);
    }
}
