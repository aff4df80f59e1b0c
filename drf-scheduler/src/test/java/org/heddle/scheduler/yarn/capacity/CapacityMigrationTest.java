// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.MemoryRMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An administrator of a CapacityScheduler cluster changes one property, restarts the ResourceManager with applications
 * running, and later goes back the same way. File, store, node and containers stay.
 */
@Tag("newer-line")
class CapacityMigrationTest {
    private static final long DEADLINE_NANOS = 60_000_000_000L;
    private static final Map<String, String> PROPERTIES = Map.of(
            "root.queues", "etl,users",
            "root.etl.capacity", "60",
            "root.users.capacity", "40",
            "root.users.queues", "alice,bob",
            "root.users.alice.capacity", "50",
            "root.users.bob.capacity", "50",
            "maximum-am-resource-percent", "1",
            "queue-mappings", "u:%user:root.users.%user");

    @TempDir
    Path directory;

    private record Running(ApplicationId id, List<Container> containers) {}

    @Test
    void switchAndBackWithApplicationsRunning() throws Exception {
        Path file = Files.writeString(
                directory.resolve("capacity-scheduler.xml"), CapacityFile.xml(new TreeMap<>(PROPERTIES)));
        MemoryRMStateStore store = new MemoryRMStateStore();
        store.init(new Configuration(false));
        String[] recovery = {
            "yarn.resourcemanager.recovery.enabled", "true",
            "yarn.resourcemanager.work-preserving-recovery.scheduling-wait-ms", "0"
        };
        List<Running> running = new ArrayList<>();

        CapacityFixture before = new CapacityFixture(CapacityFixture.CAPACITY, file, store, recovery);
        join(before, running);
        running.add(start(before, "carol", "root.etl", 3));
        running.add(start(before, "alice", "default", 2));
        assertThat(where(before, running)).containsExactly("etl", "alice");

        CapacityFixture ours = new CapacityFixture(CapacityFixture.OURS, file, store, recovery);
        join(ours, running);
        assertThat(where(ours, running)).containsExactly("etl", "alice");
        assertThat(held(ours, running)).containsExactly(4, 3);
        goOn(ours, running.get(0), 2);
        running.add(start(ours, "bob", "default", 1));

        CapacityFixture after = new CapacityFixture(CapacityFixture.CAPACITY, file, store, recovery);
        join(after, running);
        assertThat(where(after, running)).containsExactly("etl", "alice", "bob");
        assertThat(held(after, running)).containsExactly(6, 3, 2);
        goOn(after, running.get(1), 1);

        for (CapacityFixture fixture : List.of(after, ours, before)) {
            fixture.close();
        }
    }

    /** The node registers with the new ResourceManager and reports what runs on it. */
    private static void join(CapacityFixture fixture, List<Running> running) throws Exception {
        fixture.node(
                running.stream().flatMap(one -> one.containers().stream()).toList(),
                running.stream().map(Running::id).toList());
    }

    /** An application with its master and so many containers, all reported as running. */
    private static Running start(CapacityFixture fixture, String user, String queue, int containers) throws Exception {
        RMApp app = fixture.submit(user, queue, false);
        fixture.rm.waitForState(app.getApplicationId(), RMAppState.ACCEPTED);
        RMAppAttempt attempt = app.getCurrentAppAttempt();
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        while (attempt.getAppAttemptState() != RMAppAttemptState.ALLOCATED && System.nanoTime() < deadline) {
            fixture.heartbeat();
        }
        fixture.rm.sendAMLaunched(attempt.getAppAttemptId());
        MockAM am = register(fixture, attempt);
        List<Container> got = new ArrayList<>();
        got.add(app.getCurrentAppAttempt().getMasterContainer());
        got.addAll(allocate(fixture, am, containers));
        return new Running(app.getApplicationId(), got);
    }

    private static List<Container> allocate(CapacityFixture fixture, MockAM am, int containers) throws Exception {
        List<Container> got = new ArrayList<>(
                am.allocate("*", 1024, containers, new ArrayList<>()).getAllocatedContainers());
        long deadline = System.nanoTime() + DEADLINE_NANOS; // the applications' state is stored by other threads
        while (got.size() < containers && System.nanoTime() < deadline) {
            fixture.heartbeat();
            got.addAll(am.allocate(new ArrayList<>(), new ArrayList<>()).getAllocatedContainers());
        }
        assertThat(got).hasSize(containers);
        for (Container container : got) {
            fixture.anyNode()
                    .nodeHeartbeat(
                            am.getApplicationAttemptId(), container.getId().getContainerId(), ContainerState.RUNNING);
        }
        fixture.rm.drainEvents();
        return got;
    }

    /** The last names of their queues, because CapacityScheduler has no more of some. */
    private static List<String> where(CapacityFixture fixture, List<Running> running) {
        return running.stream()
                .map(one -> app(fixture, one).getQueue())
                .map(queue -> queue.substring(queue.lastIndexOf('.') + 1))
                .toList();
    }

    private static List<Integer> held(CapacityFixture fixture, List<Running> running) {
        return running.stream()
                .map(one -> fixture.scheduler()
                        .getApplicationAttempt(attempt(fixture, one).getAppAttemptId())
                        .getLiveContainers()
                        .size())
                .toList();
    }

    private static RMApp app(CapacityFixture fixture, Running one) {
        return Objects.requireNonNull(fixture.rm.getRMContext().getRMApps().get(one.id()));
    }

    private static RMAppAttempt attempt(CapacityFixture fixture, Running one) {
        return app(fixture, one).getCurrentAppAttempt();
    }

    /** The application's master registers again and gets more. */
    private static void goOn(CapacityFixture fixture, Running one, int more) throws Exception {
        one.containers().addAll(allocate(fixture, register(fixture, attempt(fixture, one)), more));
    }

    private static MockAM register(CapacityFixture fixture, RMAppAttempt attempt) throws Exception {
        MockAM am = new MockAM(
                fixture.rm.getRMContext(), fixture.rm.getApplicationMasterService(), attempt.getAppAttemptId());
        am.setAMRMProtocol(fixture.rm.getApplicationMasterService(), fixture.rm.getRMContext());
        am.registerAppAttempt();
        fixture.rm.drainEvents();
        return am;
    }
}
