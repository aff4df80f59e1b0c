// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.ExecutionTypeRequest;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceBlacklistRequest;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.ResourceSizing;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.api.resource.PlacementConstraint;
import org.apache.hadoop.yarn.api.resource.PlacementConstraints;
import org.apache.hadoop.yarn.exceptions.ApplicationAttemptNotFoundException;
import org.apache.hadoop.yarn.exceptions.ApplicationMasterNotRegisteredException;
import org.apache.hadoop.yarn.exceptions.InvalidApplicationMasterRequestException;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.exceptions.YarnRuntimeException;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
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

/**
 * Applications of {@link ChaosTest}, their masters, and what those know of their containers. Several of these share the
 * applications by their numbers; each is used by one thread. Long because masters may say many things.
 */
final class ChaosMasters {
    private static final int MOST_APPLICATIONS = 25;
    private static final int REMEMBERED = 50;
    private static final Resource LARGE = Resource.newInstance(9_000, 6);
    private static final Resource HUGE = Resource.newInstance(2_000_000, 6);
    private static final String[] USERS = {"alice", "bob", "carol", "dave"};
    /** With placement constraints; the master's own asks have smaller ones. */
    private static final int CONSTRAINED = 5;

    private final RmFixture fixture;
    private final ChaosNodes nodes;
    private final SplittableRandom random;
    private final int part;
    private final int parts;
    private final Map<ApplicationId, Running> running = new LinkedHashMap<>();
    /** What masters know, which outlives the ResourceManager. */
    private final Map<ApplicationAttemptId, Map<ContainerId, Container>> known = new HashMap<>();
    /** Containers that have been released once. */
    private final List<ContainerId> released = new ArrayList<>();

    /** An application whose master has registered. */
    private record Running(RMApp app, MockAM am, Map<ContainerId, Container> containers) {}

    /** @param part which of so many parts of the applications */
    ChaosMasters(RmFixture fixture, ChaosNodes nodes, SplittableRandom random, int part, int parts) {
        this.fixture = fixture;
        this.nodes = nodes;
        this.random = random;
        this.part = part;
        this.parts = parts;
    }

    void submit() throws Exception {
        if (fixture.scheduler().getSchedulerApplications().size() >= MOST_APPLICATIONS) {
            return;
        }
        try {
            MockRMAppSubmitter.submit(
                    fixture.rm,
                    MockRMAppSubmissionData.Builder.createWithMemory(500, fixture.rm)
                            .withAppName("chaos")
                            .withUser(USERS[random.nextInt(USERS.length)])
                            .withQueue(ChaosTest.someQueue(fixture, random))
                            .withUnmanagedAM(random.nextInt(3) > 0)
                            .withMaxAppAttempts(1 + random.nextInt(4))
                            .withKeepContainers(random.nextBoolean())
                            .withAppPriority(Priority.newInstance(random.nextInt(3)))
                            .withWaitForAppAcceptedState(false)
                            .build());
        } catch (UndeclaredThrowableException e) {
            assertThat(e.getCause()).isInstanceOf(YarnException.class);
            ChaosTest.refused(e.getCause());
        }
    }

    /** Masters of applications that have been given their container, or need none, register; after a restart, again. */
    void register() throws Exception {
        for (RMApp app : List.copyOf(fixture.rm.getRMContext().getRMApps().values())) {
            if (app.getApplicationId().getId() % parts != part
                    || running.containsKey(app.getApplicationId())
                    || app.getCurrentAppAttempt() == null
                    || isOver(app)) {
                continue;
            }
            fixture.rm.drainEvents();
            RMAppAttempt attempt = app.getCurrentAppAttempt();
            if (attempt.getState() == RMAppAttemptState.ALLOCATED) {
                launch(attempt);
            } else if (attempt.getState() != RMAppAttemptState.LAUNCHED) {
                continue;
            }
            MockAM am = new MockAM(
                    fixture.rm.getRMContext(),
                    fixture.rm.getRMContext().getApplicationMasterService(),
                    attempt.getAppAttemptId());
            RegisterApplicationMasterResponse response;
            try {
                response = am.registerAppAttempt(false);
            } catch (ApplicationAttemptNotFoundException | InvalidApplicationMasterRequestException e) {
                continue; // it has ended meanwhile
            } catch (NullPointerException e) {
                // Hadoop takes the master's specification away when an application ends, and reads it here without a
                // look.
                assertThat(e.getStackTrace()[0].getClassName()).as("%s", e).endsWith(".DefaultAMSProcessor");
                assertThat(app.getApplicationSubmissionContext().getAMContainerSpec())
                        .as("%s", app)
                        .isNull();
                continue;
            }
            Map<ContainerId, Container> containers =
                    known.computeIfAbsent(attempt.getAppAttemptId(), id -> new LinkedHashMap<>());
            response.getContainersFromPreviousAttempts()
                    .forEach(container -> containers.put(container.getId(), container));
            running.put(app.getApplicationId(), new Running(app, am, containers));
        }
        running.values().removeIf(one -> isOver(one.app));
    }

    /**
     * What {@code MockRM.sendAMLaunched} does, without its round of housekeeping, which may revoke this very container.
     */
    private void launch(RMAppAttempt attempt) {
        ApplicationAttemptId id = attempt.getAppAttemptId();
        ((RMAppAttemptImpl) attempt)
                .setAMRMToken(
                        fixture.rm.getRMContext().getAMRMTokenSecretManager().createAndGetAMRMToken(id));
        send(new RMAppAttemptEvent(id, RMAppAttemptEventType.LAUNCHED));
    }

    @SuppressWarnings("unchecked") // Hadoop's dispatcher has no type for what it takes
    private void send(RMAppAttemptEvent event) {
        fixture.rm.getRMContext().getDispatcher().getEventHandler().handle(event);
        fixture.rm.drainEvents();
    }

    private static boolean isOver(RMApp app) {
        return Set.of(RMAppState.FINISHED, RMAppState.KILLED, RMAppState.FAILED, RMAppState.FINISHING)
                .contains(app.getState());
    }

    /** A master asks for more and for less, also for what nobody can have, and gives back, sometimes twice. */
    void heartbeat() throws Exception {
        if (running.isEmpty()) {
            return;
        }
        Running one = some();
        ResourceBlacklistRequest blacklist = random.nextInt(10) == 0
                ? ResourceBlacklistRequest.newInstance(List.of(nodes.anyHost()), List.of(nodes.anyHost()))
                : null;
        List<ResourceRequest> asks = random.nextInt(3) > 0 ? asks() : List.of();
        AllocateRequest request =
                AllocateRequest.newInstance(one.am.getResponseId(), 0f, asks, releases(one), blacklist);
        if (random.nextInt(8) == 0) {
            request.setSchedulingRequests(List.of(constrained()));
        }
        tell(one, request);
    }

    /**
     * Apart from those with its tag, together with them, or anywhere; a master may contradict what it has asked before.
     */
    private SchedulingRequest constrained() {
        String tag = random.nextBoolean() ? "web" : "db";
        PlacementConstraint.AbstractConstraint constraint = switch (random.nextInt(3)) {
            case 0 ->
                PlacementConstraints.targetNotIn(
                        PlacementConstraints.NODE, PlacementConstraints.PlacementTargets.allocationTag(tag));
            case 1 ->
                PlacementConstraints.targetIn(
                        PlacementConstraints.NODE, PlacementConstraints.PlacementTargets.allocationTag(tag));
            default -> null;
        };
        return SchedulingRequest.newInstance(
                random.nextInt(6),
                Priority.newInstance(random.nextInt(20) == 0 ? 1 : CONSTRAINED),
                ExecutionTypeRequest.newInstance(ExecutionType.GUARANTEED),
                Set.of(tag),
                ResourceSizing.newInstance(
                        random.nextInt(10) == 0 ? -1 : random.nextInt(3),
                        random.nextInt(10) == 0 ? LARGE : Resource.newInstance(500, 1)),
                constraint == null ? null : new PlacementConstraint(constraint));
    }

    private List<ResourceRequest> asks() {
        List<ResourceRequest> asks = new ArrayList<>();
        int priority = 1 + random.nextInt(3);
        int count = count();
        Resource size = size();
        ResourceRequest anywhere = request(priority, ResourceRequest.ANY, size, count);
        asks.add(anywhere);
        if (random.nextInt(8) == 0) {
            anywhere.setPriority(Priority.newInstance(4)); // places and labels do not mix
            anywhere.setNodeLabelExpression(random.nextBoolean() ? "own" : "lent");
        } else if (random.nextBoolean()) {
            ResourceRequest onRack = request(priority, "/default-rack", size, count);
            boolean elsewhere = random.nextInt(3) > 0;
            onRack.setRelaxLocality(elsewhere);
            anywhere.setRelaxLocality(elsewhere);
            asks.add(onRack);
            asks.add(request(priority, random.nextInt(10) == 0 ? "no-such-host" : nodes.anyHost(), size, count));
        }
        return asks;
    }

    private int count() {
        return switch (random.nextInt(40)) {
            case 0 -> -1 - random.nextInt(5);
            case 1 -> Integer.MAX_VALUE;
            default -> random.nextInt(6);
        };
    }

    private Resource size() {
        return switch (random.nextInt(40)) {
            case 0 -> Resource.newInstance(0, 0);
            case 1 -> HUGE;
            case 2, 3, 4 -> LARGE;
            default -> Resource.newInstance(500 * (1 + random.nextInt(4)), 1 + random.nextInt(3));
        };
    }

    private static ResourceRequest request(int priority, String place, Resource size, int count) {
        return ResourceRequest.newInstance(Priority.newInstance(priority), place, size, count);
    }

    private List<ContainerId> releases(Running one) {
        List<ContainerId> releases = new ArrayList<>();
        if (!one.containers.isEmpty() && random.nextInt(3) == 0) {
            ContainerId id = ChaosTest.some(one.containers.keySet(), random);
            releases.add(id);
            released.add(id);
            if (random.nextInt(4) == 0) {
                releases.add(id);
            }
        }
        if (released.size() > REMEMBERED) {
            released.remove(0);
        }
        if (!released.isEmpty() && random.nextInt(8) == 0) {
            ContainerId again = released.get(random.nextInt(released.size()));
            if (again.getApplicationAttemptId().equals(one.am.getApplicationAttemptId())) {
                releases.add(again);
            }
        }
        return releases;
    }

    /** A master wants containers larger, smaller, opportunistic or guaranteed. */
    void update() throws Exception {
        if (running.isEmpty()) {
            return;
        }
        Running one = some();
        if (one.containers.isEmpty()) {
            return;
        }
        Container container = ChaosTest.some(one.containers.values(), random);
        RMContainer seen = fixture.scheduler().getRMContainer(container.getId());
        if (seen == null || seen.getState() != RMContainerState.RUNNING) {
            return; // Hadoop's own state machine of containers knows no updates of others
        }
        boolean guaranteed = container.getExecutionType() == ExecutionType.GUARANTEED;
        Resource has = container.getResource();
        ContainerUpdateType type;
        Resource size = null;
        if (!guaranteed) {
            type = ContainerUpdateType.PROMOTE_EXECUTION_TYPE;
        } else if (random.nextInt(4) == 0) {
            type = ContainerUpdateType.DEMOTE_EXECUTION_TYPE;
        } else if (random.nextBoolean() || has.getMemorySize() <= 500) {
            type = ContainerUpdateType.INCREASE_RESOURCE;
            size = Resource.newInstance(has.getMemorySize() + 500, has.getVirtualCores() + random.nextInt(2));
        } else {
            type = ContainerUpdateType.DECREASE_RESOURCE;
            size = Resource.newInstance(has.getMemorySize() - 500, has.getVirtualCores());
        }
        ExecutionType to = size != null ? null : guaranteed ? ExecutionType.OPPORTUNISTIC : ExecutionType.GUARANTEED;
        tell(
                one,
                AllocateRequest.newInstance(
                        one.am.getResponseId(),
                        0f,
                        null,
                        null,
                        List.of(UpdateContainerRequest.newInstance(
                                container.getVersion(), container.getId(), type, size, to)),
                        null));
    }

    private void tell(Running one, AllocateRequest request) throws Exception {
        AllocateResponse response;
        try {
            response = one.am.allocate(request);
        } catch (ApplicationAttemptNotFoundException e) {
            running.remove(one.app.getApplicationId()); // its master's node is gone
            return;
        } catch (ApplicationMasterNotRegisteredException e) {
            running.remove(one.app.getApplicationId()); // another attempt has begun
            return;
        } catch (NullPointerException e) {
            // Hadoop looks for the attempt again after the scheduler has answered.
            assertThat(fixture.scheduler().getApplicationAttempt(one.am.getApplicationAttemptId()))
                    .as("%s", e)
                    .isNull();
            running.remove(one.app.getApplicationId());
            return;
        } catch (YarnException | YarnRuntimeException e) {
            ChaosTest.refused(e);
            return;
        }
        response.getAllocatedContainers().forEach(container -> one.containers.put(container.getId(), container));
        response.getUpdatedContainers()
                .forEach(updated -> one.containers.put(updated.getContainer().getId(), updated.getContainer()));
        response.getCompletedContainersStatuses().forEach(status -> one.containers.remove(status.getContainerId()));
    }

    /** A master ends with an error, or is not heard of any more; the next attempt may keep its containers. */
    void failMaster() throws Exception {
        if (running.isEmpty()) {
            return;
        }
        Running one = some();
        running.remove(one.app.getApplicationId());
        Container master = one.app.getCurrentAppAttempt().getMasterContainer();
        if (master != null && random.nextInt(3) > 0) {
            nodes.fail(master);
        } else {
            send(new RMAppAttemptEvent(one.am.getApplicationAttemptId(), RMAppAttemptEventType.EXPIRE));
        }
    }

    void endSome() throws Exception {
        if (running.isEmpty()) {
            return;
        }
        Running one = some();
        running.remove(one.app.getApplicationId());
        known.remove(one.am.getApplicationAttemptId());
        if (random.nextInt(3) == 0) {
            fixture.rm.killApp(one.app.getApplicationId());
        } else {
            try {
                one.am.unregisterAppAttempt(
                        FinishApplicationMasterRequest.newInstance(FinalApplicationStatus.SUCCEEDED, "", ""), false);
            } catch (ApplicationAttemptNotFoundException
                    | ApplicationMasterNotRegisteredException
                    | InvalidApplicationMasterRequestException e) {
                ChaosTest.refused(e); // its master's node is gone
            }
        }
        fixture.rm.drainEvents();
    }

    /** There is a new ResourceManager, which does not know yet that they are alive. */
    void forgotten() {
        running.clear();
    }

    void endEverything() throws Exception {
        for (RMApp app : List.copyOf(fixture.rm.getRMContext().getRMApps().values())) {
            if (!isOver(app)) {
                fixture.rm.killApp(app.getApplicationId());
                fixture.rm.drainEvents();
            }
        }
    }

    /** What said good-bye and whose node never came back is given up, as YARN's own monitor does after some minutes. */
    void giveUpWhoSaidGoodbye() {
        for (RMApp app : fixture.rm.getRMContext().getRMApps().values()) {
            if (app.getState() == RMAppState.FINISHING) {
                send(new RMAppAttemptEvent(app.getCurrentAppAttempt().getAppAttemptId(), RMAppAttemptEventType.EXPIRE));
            }
        }
    }

    private Running some() {
        return ChaosTest.some(running.values(), random);
    }
}
