// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.api.records.UpdatedContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.ContainerExpiredSchedulerEvent;
import org.heddle.scheduler.yarn.RmFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Containers that grow and shrink keep every book right. */
class ContainerResizeTest {
    private static final String A = "127.1.0.1";

    @TempDir
    Path directory;

    @Test
    void aContainerGrowsWhenItsNodeHasRoom() throws Exception {
        try (RmFixture bed = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            RmFixture.App app = withOne(bed, 1_000, 1);
            resize(bed, app, ContainerUpdateType.INCREASE_RESOURCE, Resource.newInstance(3_000, 2));
            bed.heartbeat();
            AllocateResponse response = app.heartbeat(List.of(), List.of());
            assertThat(response.getUpdatedContainers())
                    .singleElement()
                    .extracting(UpdatedContainer::getContainer)
                    .extracting(Container::getResource)
                    .isEqualTo(Resource.newInstance(3_000, 2));
            bed.rm.drainEvents();
            assertBooks(bed, 3_000, 2);
            app.end();
            bed.finish(app.containers);
            bed.assertNothingLeft();
        }
    }

    @Test
    void aContainerShrinksAtOnce() throws Exception {
        try (RmFixture bed = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            RmFixture.App app = withOne(bed, 3_000, 3);
            AllocateResponse response =
                    resize(bed, app, ContainerUpdateType.DECREASE_RESOURCE, Resource.newInstance(1_000, 1));
            assertThat(response.getUpdatedContainers())
                    .singleElement()
                    .extracting(UpdatedContainer::getContainer)
                    .extracting(Container::getResource)
                    .isEqualTo(Resource.newInstance(1_000, 1));
            assertBooks(bed, 1_000, 1);
            app.end();
            bed.finish(app.containers);
            bed.assertNothingLeft();
        }
    }

    @Test
    void anIncreaseThatIsNotUsedInTimeIsTakenBackAndTheContainerLives() throws Exception {
        try (RmFixture bed = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            RmFixture.App app = withOne(bed, 1_000, 1);
            resize(bed, app, ContainerUpdateType.INCREASE_RESOURCE, Resource.newInstance(3_000, 2));
            bed.heartbeat();
            app.collect();
            assertBooks(bed, 3_000, 2);
            bed.scheduler().handle(new ContainerExpiredSchedulerEvent(app.ids().get(0), true));
            app.collect();
            assertBooks(bed, 1_000, 1);
            app.end();
            bed.finish(app.containers);
            bed.assertNothingLeft();
        }
    }

    @Test
    void anIncreaseThatIsTakenBackBeforeItsMasterHeardOfItIsGrantedAgain() throws Exception {
        try (RmFixture bed = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            RmFixture.App app = withOne(bed, 1_000, 1);
            resize(bed, app, ContainerUpdateType.INCREASE_RESOURCE, Resource.newInstance(3_000, 2));
            bed.heartbeat();
            bed.scheduler().getApplicationAttempt(app.attempt()).getLiveContainers().stream()
                    .filter(container -> !app.ids().contains(container.getContainerId()))
                    .toList()
                    .forEach(bed.scheduler()::killContainer);
            bed.rm.drainEvents();
            assertThat(app.heartbeat(List.of(), List.of()).getUpdatedContainers())
                    .isEmpty();
            bed.heartbeat();
            assertThat(app.heartbeat(List.of(), List.of()).getUpdatedContainers())
                    .hasSize(1);
            assertBooks(bed, 3_000, 2);
            app.end();
            bed.finish(app.containers);
            bed.assertNothingLeft();
        }
    }

    @Test
    void anApplicationThatEndsInTheMiddleLeavesNothingBehind() throws Exception {
        try (RmFixture bed = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            RmFixture.App app = withOne(bed, 3_000, 3);
            bed.rm.disableDrainEventsImplicitly();
            resize(bed, app, ContainerUpdateType.DECREASE_RESOURCE, Resource.newInstance(1_000, 1));
            bed.rm.enableDrainEventsImplicityly();
            app.end();
            bed.finish(app.containers);
            bed.assertNothingLeft();
        }
    }

    private static RmFixture.App withOne(RmFixture bed, int memory, int vcores) throws Exception {
        bed.node(A, 4_000, 4);
        RmFixture.App app = bed.unmanaged("alice", "default").ask(1, memory, vcores);
        bed.heartbeat();
        app.collect();
        bed.run(app.containers);
        return app;
    }

    private static AllocateResponse resize(RmFixture bed, RmFixture.App app, ContainerUpdateType type, Resource size)
            throws Exception {
        Container container = app.containers.get(0);
        AllocateResponse response = app.am.sendContainerResizingRequest(List.of(
                UpdateContainerRequest.newInstance(container.getVersion(), container.getId(), type, size, null)));
        bed.rm.drainEvents();
        return response;
    }

    private static void assertBooks(RmFixture bed, int memory, int vcores) {
        bed.rm.drainEvents();
        assertThat(bed.schedulable("default/alice").usage())
                .containsEntry("memory-mb", (long) memory)
                .containsEntry("vcores", (long) vcores);
        assertThat(bed.schedulable("default/alice").runningContainers()).isEqualTo(1);
        assertThat(bed.schedulable("default/alice").pendingContainers()).isZero();
        assertThat(RmFixture.busy(bed.queue("root.default").getMetrics()))
                .startsWith("allocated %d MB %d cores 1 containers, pending 0 MB".formatted(memory, vcores));
        assertThat(bed.seen(A).getUnallocatedResource()).isEqualTo(Resource.newInstance(4_000 - memory, 4 - vcores));
    }
}
