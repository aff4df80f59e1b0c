// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.com.google.common.util.concurrent.SettableFuture;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeLabel;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceBlacklistRequest;
import org.apache.hadoop.yarn.api.records.ResourceOption;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.ApplicationAttemptNotFoundException;
import org.apache.hadoop.yarn.exceptions.InvalidApplicationMasterRequestException;
import org.apache.hadoop.yarn.exceptions.InvalidResourceRequestException;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptImpl;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeResourceUpdateSchedulerEvent;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ten thousand random events against a ResourceManager; the books must balance all along, and when everything has ended
 * nothing may be left. {@code -Dheddle.chaos.events=100000 -Dheddle.chaos.check-every=1} for a long run.
 */
@SuppressWarnings("NullAway.Init") // bed and random are set at the start of the test
class ChaosTest {
    private static final int EVENTS = Integer.getInteger("heddle.chaos.events", 10_000);
    private static final int CHECK_EVERY = Integer.getInteger("heddle.chaos.check-every", 25);
    private static final int MOST_APPLICATIONS = 25;
    private static final Resource LARGE = Resource.newInstance(9_000, 6);
    private static final String[] LEAVES = {"root.a.x", "root.a.y", "root.b", "root.c"};
    private static final String[] USERS = {"alice", "bob", "carol", "dave"};
    private static final String QUEUES = """
            <heddle-scheduler version="1">
              <queue name="root">
                <below-share>2s</below-share><below-guarantee>1s</below-guarantee>
                <queue name="a"><weight>%s</weight><queue name="x"/><queue name="y"/></queue>
                <queue name="b"><max-running-apps>4</max-running-apps></queue>
                <queue name="c"><guaranteed-resources><resource name="memory-mb">6000</resource></guaranteed-resources>
                </queue>
              </queue>
              <waits><reservation>3s</reservation><reservation-expiry>20s</reservation-expiry></waits>
              <revocation><mode>on</mode><grace>1s</grace><max-per-second>50%%</max-per-second>
                <reservation-stuck>2s</reservation-stuck></revocation>
            </heddle-scheduler>
            """;

    @TempDir
    Path directory;

    private RmBed bed;
    private SplittableRandom random;
    private final Map<ApplicationId, Running> running = new LinkedHashMap<>();
    private int nodesMade;

    /** An application that has registered, and what it thinks it has. */
    private record Running(RMApp app, MockAM am, Map<ContainerId, Container> containers) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 20260721, 77})
    void nothingIsLeftWhenEverythingHasEnded(long seed) throws Exception {
        random = new SplittableRandom(seed);
        try (RmBed opened = new RmBed(
                directory,
                QUEUES.formatted("2"),
                "yarn.scheduler.heddle.housekeeping-interval-ms",
                "0",
                YarnConfiguration.NODE_LABELS_ENABLED,
                "true",
                YarnConfiguration.RM_PLACEMENT_CONSTRAINTS_HANDLER,
                YarnConfiguration.SCHEDULER_RM_PLACEMENT_CONSTRAINTS_HANDLER)) {
            bed = opened;
            bed.rm
                    .getRMContext()
                    .getNodeLabelManager()
                    .addToCluserNodeLabels(
                            List.of(NodeLabel.newInstance("own", true), NodeLabel.newInstance("lent", false)));
            for (int i = 0; i < 6; i++) {
                addNode();
            }
            for (int i = 0; i < EVENTS; i++) {
                step();
                if (i % CHECK_EVERY == 0) {
                    Books.balance(bed.scheduler());
                }
            }
            assertThat(bed.counter("containers-allocated"))
                    .as("the chaos does something")
                    .isGreaterThan(1_000);
            assertThat(bed.counter("revocation-containers-killed"))
                    .as("the chaos revokes something")
                    .isPositive();
            endEverything();
            Books.empty(bed.scheduler());
        }
    }

    private void step() throws Exception {
        int dice = random.nextInt(100);
        if (dice < 40) {
            heartbeatOfSomeNode();
        } else if (dice < 65) {
            heartbeatOfSomeMaster();
        } else if (dice < 72) {
            submit();
        } else if (dice < 78) {
            registerWaiting();
        } else if (dice < 82) {
            endSome();
        } else if (dice < 85) {
            moveSome();
        } else if (dice < 88) {
            prioritizeSome();
        } else if (dice < 90) {
            addNode();
        } else if (dice < 92) {
            loseNode();
        } else if (dice < 94) {
            resizeNode();
        } else if (dice < 96) {
            killContainer();
        } else if (dice < 97) {
            bed.clock.tick(random.nextInt(10_000));
        } else if (dice < 98) {
            relabelNode();
        } else if (dice < 99) {
            bed.scheduler().update();
        } else {
            Path next = Files.writeString(directory.resolve("next.xml"), QUEUES.formatted(1 + random.nextInt(5)));
            Files.move(next, bed.file, StandardCopyOption.ATOMIC_MOVE);
            bed.scheduler().reinitialize(bed.conf, bed.rm.getRMContext());
        }
        bed.rm.drainEvents();
    }

    private void addNode() throws Exception {
        if (bed.nodes.size() < 10) {
            nodesMade++;
            bed.node("127.2." + nodesMade / 200 + "." + (1 + nodesMade % 200), 8_000 + 4_000 * random.nextInt(3), 8);
        }
    }

    private void loseNode() throws Exception {
        if (bed.nodes.size() > 3) {
            MockNM lost = some(bed.nodes.values());
            bed.nodes.values().remove(lost);
            bed.rm.sendNodeLost(lost);
        }
    }

    private void resizeNode() {
        MockNM node = some(bed.nodes.values());
        bed.scheduler()
                .handle(new NodeResourceUpdateSchedulerEvent(
                        bed.rm.getRMContext().getRMNodes().get(node.getNodeId()),
                        ResourceOption.newInstance(
                                Resource.newInstance(4_000 + 4_000 * random.nextInt(4), 4 + random.nextInt(8)),
                                random.nextBoolean() ? -1 : 0)));
    }

    private void relabelNode() throws Exception {
        MockNM node = some(bed.nodes.values());
        String label = List.of("", "", "own", "lent").get(random.nextInt(4));
        bed.rm
                .getRMContext()
                .getNodeLabelManager()
                .replaceLabelsOnNode(Map.of(
                        NodeId.newInstance(node.getNodeId().getHost(), 0), label.isEmpty() ? Set.of() : Set.of(label)));
    }

    /** Containers on it start, and some of them end. */
    private void heartbeatOfSomeNode() throws Exception {
        MockNM node = some(bed.nodes.values());
        bed.clock.tick(100);
        HeddleNode schedulerNode = bed.scheduler().getSchedulerNode(node.getNodeId());
        List<ContainerStatus> statuses = new ArrayList<>();
        if (schedulerNode != null) {
            for (RMContainer container : schedulerNode.getCopiedListOfRunningContainers()) {
                if (container.getState() == RMContainerState.ALLOCATED) {
                    continue; // its master has not fetched it yet
                }
                boolean ends = !container.isAMContainer() && random.nextInt(8) == 0;
                statuses.add(ContainerStatus.newInstance(
                        container.getContainerId(), ends ? ContainerState.COMPLETE : ContainerState.RUNNING, "", 0));
            }
        }
        node.nodeHeartbeat(statuses, true);
    }

    private void heartbeatOfSomeMaster() throws Exception {
        if (running.isEmpty()) {
            return;
        }
        Running one = some(running.values());
        List<ResourceRequest> asks = new ArrayList<>();
        if (random.nextInt(3) > 0) {
            int priority = 1 + random.nextInt(3);
            int count = random.nextInt(6);
            boolean large = random.nextInt(12) == 0;
            Resource size = large ? LARGE : Resource.newInstance(500 * (1 + random.nextInt(4)), 1 + random.nextInt(3));
            ResourceRequest anywhere = request(priority, ResourceRequest.ANY, size, count);
            asks.add(anywhere);
            if (random.nextInt(8) == 0) {
                anywhere.setPriority(Priority.newInstance(4)); // places and labels do not mix
                anywhere.setNodeLabelExpression(random.nextBoolean() ? "own" : "lent");
            } else if (random.nextBoolean()) {
                asks.add(request(priority, "/default-rack", size, count));
                asks.add(request(priority, some(bed.nodes.keySet()), size, count));
            }
        }
        List<ContainerId> releases = new ArrayList<>();
        if (!one.containers.isEmpty() && random.nextInt(3) == 0) {
            ContainerId released = some(one.containers.keySet());
            releases.add(released);
            if (random.nextInt(4) == 0) {
                releases.add(released);
            }
        }
        ResourceBlacklistRequest blacklist = random.nextInt(10) == 0
                ? ResourceBlacklistRequest.newInstance(
                        List.of(some(bed.nodes.keySet())), List.of(some(bed.nodes.keySet())))
                : null;
        AllocateResponse response;
        try {
            response =
                    one.am.allocate(AllocateRequest.newInstance(one.am.getResponseId(), 0f, asks, releases, blacklist));
        } catch (ApplicationAttemptNotFoundException e) {
            running.remove(one.app.getApplicationId()); // its master's node is gone
            return;
        } catch (InvalidResourceRequestException e) {
            assertThat(asks.get(0).getCapability().getMemorySize()).isEqualTo(LARGE.getMemorySize());
            return; // no node is large enough any more
        }
        response.getAllocatedContainers().forEach(container -> one.containers.put(container.getId(), container));
        response.getCompletedContainersStatuses().forEach(status -> one.containers.remove(status.getContainerId()));
    }

    private static ResourceRequest request(int priority, String place, Resource size, int count) {
        return ResourceRequest.newInstance(Priority.newInstance(priority), place, size, count);
    }

    private void submit() throws Exception {
        if (bed.scheduler().getSchedulerApplications().size() >= MOST_APPLICATIONS) {
            return;
        }
        MockRMAppSubmitter.submit(
                bed.rm,
                MockRMAppSubmissionData.Builder.createWithMemory(500, bed.rm)
                        .withAppName("chaos")
                        .withUser(USERS[random.nextInt(USERS.length)])
                        .withQueue(LEAVES[random.nextInt(LEAVES.length)])
                        .withUnmanagedAM(random.nextInt(3) > 0)
                        .withAppPriority(Priority.newInstance(random.nextInt(3)))
                        .withWaitForAppAcceptedState(false)
                        .build());
    }

    /** Masters of applications that have been given their container, or need none, register. */
    private void registerWaiting() throws Exception {
        for (RMApp app : List.copyOf(bed.rm.getRMContext().getRMApps().values())) {
            if (running.containsKey(app.getApplicationId()) || app.getCurrentAppAttempt() == null) {
                continue;
            }
            bed.rm.drainEvents();
            RMAppAttempt attempt = app.getCurrentAppAttempt();
            if (attempt.getState() == RMAppAttemptState.ALLOCATED) {
                launch(attempt);
            } else if (attempt.getState() != RMAppAttemptState.LAUNCHED) {
                continue;
            }
            MockAM am = new MockAM(
                    bed.rm.getRMContext(),
                    bed.rm.getRMContext().getApplicationMasterService(),
                    attempt.getAppAttemptId());
            am.registerAppAttempt(false);
            running.put(app.getApplicationId(), new Running(app, am, new LinkedHashMap<>()));
        }
        running.values().removeIf(one -> isOver(one.app));
    }

    /** What {@code MockRM.sendAMLaunched} does, without its round of housekeeping, which may revoke this very container. */
    private void launch(RMAppAttempt attempt) {
        ApplicationAttemptId id = attempt.getAppAttemptId();
        ((RMAppAttemptImpl) attempt)
                .setAMRMToken(bed.rm.getRMContext().getAMRMTokenSecretManager().createAndGetAMRMToken(id));
        bed.rm
                .getRMContext()
                .getDispatcher()
                .getEventHandler()
                .handle(new RMAppAttemptEvent(id, RMAppAttemptEventType.LAUNCHED));
        bed.rm.drainEvents();
    }

    private static boolean isOver(RMApp app) {
        return Set.of(RMAppState.FINISHED, RMAppState.KILLED, RMAppState.FAILED, RMAppState.FINISHING)
                .contains(app.getState());
    }

    private void endSome() throws Exception {
        if (running.isEmpty()) {
            return;
        }
        Running one = some(running.values());
        running.remove(one.app.getApplicationId());
        end(one);
    }

    private void end(Running one) throws Exception {
        if (random.nextInt(3) == 0) {
            bed.rm.killApp(one.app.getApplicationId());
        } else {
            try {
                one.am.unregisterAppAttempt(
                        FinishApplicationMasterRequest.newInstance(FinalApplicationStatus.SUCCEEDED, "", ""), false);
            } catch (InvalidApplicationMasterRequestException e) {
                assertThat(e.getMessage()).contains("doesn't exist"); // its master's node is gone
            }
        }
        bed.rm.drainEvents();
    }

    private void moveSome() throws Exception {
        if (running.isEmpty()) {
            return;
        }
        ApplicationId id = some(running.keySet());
        String to = LEAVES[random.nextInt(LEAVES.length)];
        try {
            bed.scheduler().moveApplication(id, to);
        } catch (org.apache.hadoop.yarn.exceptions.YarnException e) {
            assertThat(e.getMessage()).containsAnyOf("the most that it may", "has ended");
        }
    }

    private void prioritizeSome() throws Exception {
        if (!running.isEmpty()) {
            ApplicationId id = some(running.keySet());
            if (bed.scheduler().getSchedulerApplications().containsKey(id)) {
                bed.scheduler()
                        .updateApplicationPriority(
                                Priority.newInstance(random.nextInt(5)),
                                id,
                                SettableFuture.create(),
                                UserGroupInformation.getCurrentUser());
            }
        }
    }

    private void killContainer() {
        HeddleNode node = bed.scheduler().getSchedulerNode(some(nodeIds()));
        if (node != null && node.getNumContainers() > 0) {
            RMContainer container = some(node.getCopiedListOfRunningContainers());
            if (!container.isAMContainer()) {
                bed.scheduler().killContainer(container);
            }
        }
    }

    private List<NodeId> nodeIds() {
        return bed.nodes.values().stream().map(MockNM::getNodeId).toList();
    }

    private void endEverything() throws Exception {
        for (RMApp app : List.copyOf(bed.rm.getRMContext().getRMApps().values())) {
            if (!isOver(app)) {
                bed.rm.killApp(app.getApplicationId());
                bed.rm.drainEvents();
            }
        }
        for (MockNM node : bed.nodes.values()) { // masters that said good-bye still have to exit
            List<ContainerStatus> ended = new ArrayList<>();
            for (RMContainer container :
                    bed.scheduler().getSchedulerNode(node.getNodeId()).getCopiedListOfRunningContainers()) {
                ended.add(ContainerStatus.newInstance(container.getContainerId(), ContainerState.COMPLETE, "", 0));
            }
            node.nodeHeartbeat(ended, true);
            bed.rm.drainEvents();
        }
        bed.heartbeat();
    }

    private <T> T some(java.util.Collection<T> all) {
        return all.stream().skip(random.nextInt(all.size())).findFirst().orElseThrow();
    }
}
