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

    /** The increase is granted at a heartbeat, so not in the answer to the call that asks for it. */
    private static final String GRANTED_LATER = RmFixture.atHeartbeats(RmFixture.ONE_LEAF);

    @TempDir
    Path directory;

    @Test
    void aContainerGrowsWhenItsNodeHasRoom() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, GRANTED_LATER)) {
            RmFixture.App app = withOne(fixture, 1_000, 1);
            resize(fixture, app, ContainerUpdateType.INCREASE_RESOURCE, Resource.newInstance(3_000, 2));
            fixture.heartbeat();
            AllocateResponse response = app.heartbeat(List.of(), List.of());
            assertThat(response.getUpdatedContainers())
                    .singleElement()
                    .extracting(UpdatedContainer::getContainer)
                    .extracting(Container::getResource)
                    .isEqualTo(Resource.newInstance(3_000, 2));
            fixture.rm.drainEvents();
            assertBooks(fixture, 3_000, 2);
            app.end();
            fixture.finish(app.containers);
            fixture.assertNothingLeft();
        }
    }

    @Test
    void aContainerGrowsInTheSameCallIfItsNodeHasRoom() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            RmFixture.App app = withOne(fixture, 1_000, 1);
            assertThat(resize(fixture, app, ContainerUpdateType.INCREASE_RESOURCE, Resource.newInstance(3_000, 2))
                            .getUpdatedContainers())
                    .singleElement()
                    .extracting(UpdatedContainer::getContainer)
                    .extracting(Container::getResource)
                    .isEqualTo(Resource.newInstance(3_000, 2));
            fixture.rm.drainEvents();
            assertBooks(fixture, 3_000, 2);
            app.end();
            fixture.finish(app.containers);
            fixture.assertNothingLeft();
        }
    }

    @Test
    void aContainerShrinksAtOnce() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            RmFixture.App app = withOne(fixture, 3_000, 3);
            AllocateResponse response =
                    resize(fixture, app, ContainerUpdateType.DECREASE_RESOURCE, Resource.newInstance(1_000, 1));
            assertThat(response.getUpdatedContainers())
                    .singleElement()
                    .extracting(UpdatedContainer::getContainer)
                    .extracting(Container::getResource)
                    .isEqualTo(Resource.newInstance(1_000, 1));
            assertBooks(fixture, 1_000, 1);
            app.end();
            fixture.finish(app.containers);
            fixture.assertNothingLeft();
        }
    }

    @Test
    void anIncreaseThatIsNotUsedInTimeIsTakenBackAndTheContainerLives() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            RmFixture.App app = withOne(fixture, 1_000, 1);
            resize(fixture, app, ContainerUpdateType.INCREASE_RESOURCE, Resource.newInstance(3_000, 2));
            fixture.heartbeat();
            app.collect();
            assertBooks(fixture, 3_000, 2);
            fixture.scheduler()
                    .handle(new ContainerExpiredSchedulerEvent(app.ids().get(0), true));
            app.collect();
            assertBooks(fixture, 1_000, 1);
            app.end();
            fixture.finish(app.containers);
            fixture.assertNothingLeft();
        }
    }

    @Test
    void anIncreaseThatIsTakenBackBeforeItsMasterHeardOfItIsGrantedAgain() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, GRANTED_LATER)) {
            RmFixture.App app = withOne(fixture, 1_000, 1);
            resize(fixture, app, ContainerUpdateType.INCREASE_RESOURCE, Resource.newInstance(3_000, 2));
            fixture.heartbeat();
            fixture.scheduler().getApplicationAttempt(app.attempt()).getLiveContainers().stream()
                    .filter(container -> !app.ids().contains(container.getContainerId()))
                    .toList()
                    .forEach(fixture.scheduler()::killContainer);
            fixture.rm.drainEvents();
            assertThat(app.heartbeat(List.of(), List.of()).getUpdatedContainers())
                    .isEmpty();
            fixture.heartbeat();
            assertThat(app.heartbeat(List.of(), List.of()).getUpdatedContainers())
                    .hasSize(1);
            assertBooks(fixture, 3_000, 2);
            app.end();
            fixture.finish(app.containers);
            fixture.assertNothingLeft();
        }
    }

    @Test
    void anApplicationThatEndsInTheMiddleLeavesNothingBehind() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            RmFixture.App app = withOne(fixture, 3_000, 3);
            fixture.rm.disableDrainEventsImplicitly();
            resize(fixture, app, ContainerUpdateType.DECREASE_RESOURCE, Resource.newInstance(1_000, 1));
            fixture.rm.enableDrainEventsImplicityly();
            app.end();
            fixture.finish(app.containers);
            fixture.assertNothingLeft();
        }
    }

    private static RmFixture.App withOne(RmFixture fixture, int memory, int vcores) throws Exception {
        fixture.node(A, 4_000, 4);
        RmFixture.App app = fixture.unmanaged("alice", "default").ask(1, memory, vcores);
        fixture.heartbeat();
        app.collect();
        fixture.run(app.containers);
        return app;
    }

    private static AllocateResponse resize(
            RmFixture fixture, RmFixture.App app, ContainerUpdateType type, Resource size) throws Exception {
        Container container = app.containers.get(0);
        AllocateResponse response = app.am.sendContainerResizingRequest(List.of(
                UpdateContainerRequest.newInstance(container.getVersion(), container.getId(), type, size, null)));
        fixture.rm.drainEvents();
        return response;
    }

    private static void assertBooks(RmFixture fixture, int memory, int vcores) {
        fixture.rm.drainEvents();
        assertThat(fixture.schedulable("default/alice").usage())
                .containsEntry("memory-mb", (long) memory)
                .containsEntry("vcores", (long) vcores);
        assertThat(fixture.schedulable("default/alice").runningContainers()).isEqualTo(1);
        assertThat(fixture.schedulable("default/alice").pendingContainers()).isZero();
        assertThat(RmFixture.busy(fixture.queue("root.default").getMetrics()))
                .startsWith("allocated %d MB %d cores 1 containers, pending 0 MB".formatted(memory, vcores));
        assertThat(fixture.seen(A).getUnallocatedResource())
                .isEqualTo(Resource.newInstance(4_000 - memory, 4 - vcores));
    }
}
