// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.fair;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.MemoryRMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.heddle.scheduler.yarn.RmFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * "Switch in five minutes, and back": an admin of a FairScheduler cluster changes one property, restarts the
 * ResourceManager with applications running, and later goes back the same way. File, store, nodes and containers stay.
 */
class FairMigrationTest {
    private static final String HOST = "127.2.1.1";

    @TempDir
    Path directory;

    private record Running(ApplicationId id, String user, String queue, List<Container> containers) {}

    @Test
    void switchAndBackWithApplicationsRunning() throws Exception {
        Path file = FairSchedulerFixture.resource(directory, "warehouse.xml");
        MemoryRMStateStore store = new MemoryRMStateStore();
        store.init(new Configuration(false));
        List<Running> running = new ArrayList<>();
        String[] recovery = {"yarn.resourcemanager.recovery.enabled", "true"};

        FairSchedulerFixture before = new FairSchedulerFixture(FairSchedulerFixture.FAIR, file, store, recovery);
        MockNM node = Objects.requireNonNull(before.node(HOST, 65_536, 64).nodes.get(HOST));
        running.add(start(before, node, "etl", "root.production.hourly", 3));
        running.add(start(before, node, "alice", "default", 2));
        Map<String, String> placed = where(before, running);
        assertThat(placed).containsValues("root.production.hourly", "root.analysts.alice");

        FairSchedulerFixture ours = new FairSchedulerFixture(FairSchedulerFixture.OURS, file, store, recovery);
        node = register(ours, running);
        assertThat(where(ours, running)).isEqualTo(placed);
        assertThat(held(ours, running)).containsExactly(4, 3);
        goOn(ours, node, running.get(0), 2);
        running.add(start(ours, node, "bob", "default", 1));
        placed = where(ours, running);
        assertThat(placed).containsValue("root.analysts.bob");

        FairSchedulerFixture after = new FairSchedulerFixture(FairSchedulerFixture.FAIR, file, store, recovery);
        node = register(after, running);
        assertThat(where(after, running)).isEqualTo(placed);
        assertThat(held(after, running)).containsExactly(6, 3, 2);
        goOn(after, node, running.get(1), 1);

        for (FairSchedulerFixture fixture : List.of(after, ours, before)) {
            fixture.close();
        }
    }

    /** An application with its master and so many containers, all reported as running. */
    private static Running start(FairSchedulerFixture fixture, MockNM node, String user, String queue, int containers)
            throws Exception {
        RMApp app = fixture.submit(user, queue, false, 1024);
        fixture.settle();
        MockAM am = MockRM.launchAndRegisterAM(app, fixture.rm, node);
        List<Container> got = new ArrayList<>();
        got.add(app.getCurrentAppAttempt().getMasterContainer());
        got.addAll(allocate(fixture, am, containers));
        return new Running(app.getApplicationId(), user, queue, got);
    }

    private static List<Container> allocate(FairSchedulerFixture fixture, MockAM am, int containers) throws Exception {
        am.allocate("*", 1024, containers, new ArrayList<>());
        List<Container> got = new ArrayList<>();
        for (int i = 0; i < 20 && got.size() < containers; i++) {
            fixture.heartbeat();
            got.addAll(am.allocate(new ArrayList<>(), new ArrayList<>()).getAllocatedContainers());
        }
        assertThat(got).hasSize(containers);
        for (Container container : got) {
            Objects.requireNonNull(fixture.nodes.get(HOST))
                    .nodeHeartbeat(
                            am.getApplicationAttemptId(), container.getId().getContainerId(), ContainerState.RUNNING);
        }
        fixture.rm.drainEvents();
        return got;
    }

    /** The node registers with the new ResourceManager and reports what runs on it. */
    private static MockNM register(FairSchedulerFixture fixture, List<Running> running) throws Exception {
        MockNM node = new MockNM(HOST + ":1234", 65_536, fixture.rm.getResourceTrackerService());
        List<Container> all =
                running.stream().flatMap(one -> one.containers().stream()).toList();
        node.registerNode(
                RmFixture.running(all), running.stream().map(Running::id).toList());
        fixture.rm.drainEvents();
        fixture.nodes.put(HOST, node);
        fixture.settle();
        return node;
    }

    private static Map<String, String> where(FairSchedulerFixture fixture, List<Running> running) {
        Map<String, String> where = new TreeMap<>();
        for (Running one : running) {
            where.put(
                    one.id().toString(),
                    Objects.requireNonNull(fixture.rm.getRMContext().getRMApps().get(one.id()))
                            .getQueue());
        }
        return where;
    }

    private static List<Integer> held(FairSchedulerFixture fixture, List<Running> running) {
        return running.stream()
                .map(one -> fixture.scheduler()
                        .getApplicationAttempt(attempt(fixture, one).getAppAttemptId())
                        .getLiveContainers()
                        .size())
                .toList();
    }

    private static RMAppAttempt attempt(FairSchedulerFixture fixture, Running one) {
        return Objects.requireNonNull(fixture.rm.getRMContext().getRMApps().get(one.id()))
                .getCurrentAppAttempt();
    }

    /** The application's master registers again and gets more. */
    private static void goOn(FairSchedulerFixture fixture, MockNM node, Running one, int more) throws Exception {
        MockAM am = new MockAM(
                fixture.rm.getRMContext(),
                fixture.rm.getApplicationMasterService(),
                attempt(fixture, one).getAppAttemptId());
        am.setAMRMProtocol(fixture.rm.getApplicationMasterService(), fixture.rm.getRMContext());
        am.registerAppAttempt();
        fixture.rm.drainEvents();
        assertThat(node).isNotNull();
        one.containers().addAll(allocate(fixture, am, more));
    }
}
