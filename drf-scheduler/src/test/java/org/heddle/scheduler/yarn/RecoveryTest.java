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
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.MemoryRMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.heddle.scheduler.yarn.app.HeddleApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
        try (RmFixture bed =
                new RmFixture(directory, TWO_LEAVES, store, "yarn.resourcemanager.recovery.enabled", "true")) {
            bed.node(A, 8_000, 8);
            RmFixture.App app = bed.managed("alice", "other", 1_000);
            app.ask(2, 2_000, 1);
            bed.heartbeat();
            app.collect();
            bed.run(app.containers);
            RmFixture.App again = restart(bed, store, app);

            assertThat(bed.schedulable("other/alice").usage()).containsEntry("memory-mb", 5_000L);
            assertThat(bed.schedulable("other/alice").runningContainers()).isEqualTo(3);
            assertThat(bed.queue("root.other").masters()).isEqualTo(1);
            assertThat(bed.queue("root.other").masterUsage(0)).isEqualTo(1_000);
            assertThat(RmFixture.busy(bed.queue("root.other").getMetrics()))
                    .startsWith("allocated 5000 MB 3 cores 3 containers, pending 0 MB");
            assertThat(bed.seen(A).getUnallocatedResource().getMemorySize()).isEqualTo(3_000);

            again.am.registerAppAttempt(false);
            again.ask(2, 1_000, 1);
            bed.heartbeat();
            assertThat(again.collect().containers).hasSize(2);
            again.end();
            bed.finish(app.containers);
            bed.assertNothingLeft();
        }
    }

    @Test
    void anApplicationWhoseQueueVanishedContinuesInRootRecovered() throws Exception {
        MemoryRMStateStore store = store();
        try (RmFixture bed =
                new RmFixture(directory, TWO_LEAVES, store, "yarn.resourcemanager.recovery.enabled", "true")) {
            bed.node(A, 8_000, 8);
            RmFixture.App app = bed.managed("alice", "other", 1_000);
            app.ask(2, 2_000, 1);
            bed.heartbeat();
            app.collect();
            bed.run(app.containers);
            bed.write(RmFixture.ONE_LEAF);
            RmFixture.App again = restart(bed, store, app);
            assertThat(again.app.getQueue()).isEqualTo("root.recovered");
            assertThat(bed.schedulable("recovered/alice").usage()).containsEntry("memory-mb", 5_000L);
            again.am.registerAppAttempt(false);
            again.end();
            bed.finish(app.containers);
            bed.assertNothingLeft();
        }
    }

    @Test
    void whatIsGivenBackBeforeItsNodeIsHeardOfIsNobodysShareWhenItIs() throws Exception {
        MemoryRMStateStore store = store();
        try (RmFixture bed =
                new RmFixture(directory, TWO_LEAVES, store, "yarn.resourcemanager.recovery.enabled", "true")) {
            bed.node(A, 8_000, 8);
            RmFixture.App app = bed.managed("alice", "other", 1_000);
            app.ask(2, 2_000, 1);
            bed.heartbeat();
            app.collect();
            bed.run(app.containers);
            bed.restart(store);
            RmFixture.App again = recovered(bed, app);
            again.am.registerAppAttempt(false);
            again.release(app.ids().get(0));
            register(bed, app);

            assertThat(bed.schedulable("other/alice").usage()).containsEntry("memory-mb", 3_000L);
            assertThat(bed.seen(A).getUnallocatedResource().getMemorySize())
                    .as("until the node says that its process has ended")
                    .isEqualTo(3_000);
            ClusterInvariants.balance(bed.shell());
            bed.finish(app.containers);
            again.end();
            bed.assertNothingLeft();
        }
    }

    @Test
    void aContainerCountsInThePartitionWhereItStartedAlsoWhenItsNodeHasAnotherNow() throws Exception {
        MemoryRMStateStore store = store();
        try (RmFixture bed = new RmFixture(
                directory,
                TWO_LEAVES,
                store,
                "yarn.resourcemanager.recovery.enabled",
                "true",
                YarnConfiguration.NODE_LABELS_ENABLED,
                "true")) {
            bed.node(A, 8_000, 8);
            RmFixture.App app = bed.managed("alice", "other", 1_000);
            app.ask(2, 2_000, 1);
            bed.heartbeat();
            app.collect();
            bed.run(app.containers);
            bed.restart(store);
            RMNodeLabelsManager labels = bed.rm.getRMContext().getNodeLabelManager();
            labels.addToCluserNodeLabelsWithDefaultExclusivity(Set.of("own"));
            labels.replaceLabelsOnNode(Map.of(bed.node(A).getNodeId(), Set.of("own")));
            register(bed, app);

            assertThat(bed.seen(A).getPartition()).isEqualTo("own");
            assertThat(bed.queue("root.other").getMetrics().getAllocatedMB()).isEqualTo(5_000);
            ClusterInvariants.balance(bed.shell());
            RmFixture.App again = recovered(bed, app);
            again.am.registerAppAttempt(false);
            bed.finish(app.containers);
            ClusterInvariants.balance(bed.shell());
            again.end();
            bed.assertNothingLeft();
        }
    }

    @Test
    void anApplicationsPriorityChangedAtRunTimeIsKept() throws Exception {
        MemoryRMStateStore store = store();
        try (RmFixture bed = new RmFixture(
                directory,
                TWO_LEAVES,
                store,
                "yarn.resourcemanager.recovery.enabled",
                "true",
                "yarn.cluster.max-application-priority",
                "10")) {
            bed.node(A, 8_000, 8);
            RmFixture.App app = bed.managed("alice", "other", 1_000);
            bed.rm
                    .getClientRMService()
                    .updateApplicationPriority(
                            org.apache.hadoop.yarn.api.protocolrecords.UpdateApplicationPriorityRequest.newInstance(
                                    app.id(), Priority.newInstance(7)));
            assertThat(app.app.getApplicationPriority()).isEqualTo(Priority.newInstance(7));
            RmFixture.App again = restart(bed, store, app);
            assertThat(again.app.getApplicationPriority()).isEqualTo(Priority.newInstance(7));
            assertThat(HeddleApplication.of(bed.queue("root.other")))
                    .extracting(HeddleApplication::getPriority)
                    .containsExactly(Priority.newInstance(7));
        }
    }

    private static MemoryRMStateStore store() {
        MemoryRMStateStore store = new MemoryRMStateStore();
        store.init(new YarnConfiguration());
        return store;
    }

    private static RmFixture.App restart(RmFixture bed, MemoryRMStateStore store, RmFixture.App app) throws Exception {
        bed.restart(store);
        register(bed, app);
        return recovered(bed, app);
    }

    /** The node registers with all that runs on it. */
    private static void register(RmFixture bed, RmFixture.App app) throws Exception {
        List<Container> running = new ArrayList<>(app.containers);
        running.add(app.app.getCurrentAppAttempt().getMasterContainer());
        bed.node(A).registerNode(RmFixture.running(running), List.of(app.id()));
        bed.rm.drainEvents();
    }

    /** The master carries on. */
    private static RmFixture.App recovered(RmFixture bed, RmFixture.App app) {
        RMApp recovered =
                Objects.requireNonNull(bed.rm.getRMContext().getRMApps().get(app.id()));
        app.am.setAMRMProtocol(bed.rm.getApplicationMasterService(), bed.rm.getRMContext());
        return bed.new App(recovered, app.am);
    }
}
