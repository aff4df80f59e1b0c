// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.RMStateStore.RMState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerUtils;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptAddedSchedulerEvent;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.policy.ServedWork;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.heddle.scheduler.yarn.queue.ImpossibleAsks;
import org.heddle.scheduler.yarn.queue.QueueTree;
import org.heddle.scheduler.yarn.reservation.PlanQueues;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds, removes and moves applications and attempts. Every method is called under the scheduler's lock.
 *
 * <p>An application: {@code APP_ADDED} (accepted or rejected) - attempts, one after another, each added and removed -
 * {@code APP_REMOVED}. See YARN's {@code RMAppImpl} and {@code RMAppAttemptImpl} for the senders.
 */
public final class ApplicationLifecycle {
    private static final double SMALLEST_WEIGHT = 1e-6;
    private static final Logger LOG = LoggerFactory.getLogger(ApplicationLifecycle.class);

    private final SchedulerContext scheduler;
    private final QueueTree queues;
    private final PlanQueues plans;
    private final ShareEngine engine;
    private final ResourceVectors vectors;
    private final Consumer<HeddleAttempt> releaseReservedNodes;
    private final Consumer<HeddleAttempt> whenAsksChange;
    private final RunLimits runLimits;
    private final double[] evenWeights;
    private final ImpossibleAsks unservable;

    public ApplicationLifecycle(
            SchedulerContext scheduler,
            QueueTree queues,
            PlanQueues plans,
            Consumer<HeddleAttempt> releaseReservedNodes,
            Consumer<HeddleAttempt> whenAsksChange) {
        this.scheduler = scheduler;
        this.queues = queues;
        this.plans = plans;
        this.engine = queues.engine();
        this.vectors = queues.vectors();
        this.releaseReservedNodes = releaseReservedNodes;
        this.whenAsksChange = whenAsksChange;
        this.runLimits = new RunLimits(queues::rules);
        this.unservable = new ImpossibleAsks(queues, vectors);
        this.evenWeights = new double[vectors.size()];
        java.util.Arrays.fill(evenWeights, 1);
    }

    /** Adds an application to its queue, or rejects it. */
    public void add(AppAddedSchedulerEvent event) {
        ApplicationId id = event.getApplicationId();
        String wanted;
        if (event.getPlacementContext() == null) {
            wanted = event.getQueue();
        } else {
            wanted = event.getPlacementContext().getFullQueuePath();
        }
        HeddleQueue leaf;
        String home = null;
        try {
            leaf = leaf(wanted, event);
        } catch (YarnException e) {
            LOG.info("Rejected {}: {}", id, e.getMessage());
            send(new RMAppEvent(id, RMAppEventType.APP_REJECTED, e.getMessage()));
            return;
        }
        if (event.getIsAppRecovering()) {
            if (leaf == null) {
                leaf = queues.recoveryLeaf();
                home = wanted;
                LOG.warn("Queue {} of recovered application {} is gone: it continues in {}", wanted, id, leaf);
            }
        } else {
            String refusal = refusal(id, wanted, leaf, event.getUser());
            if (refusal != null || leaf == null) {
                LOG.info("Rejected {}: {}", id, refusal);
                send(new RMAppEvent(id, RMAppEventType.APP_REJECTED, refusal));
                return;
            }
        }
        Priority priority =
                event.getApplicatonPriority() == null ? Priority.newInstance(0) : event.getApplicatonPriority();
        RMApp rmApp = scheduler.resourceManager().getRMApps().get(id);
        boolean unmanaged = event.isUnmanagedAM();
        // The context may be stored again: one that has lost its queue keeps the name of that queue there.
        name(rmApp, leaf.getQueueName(), home == null ? leaf.getQueueName() : home);
        Schedulable schedulable = engine.addApplication(
                queues.user(leaf, event.getUser()),
                id.toString(),
                evenWeights,
                priority.getPriority(),
                new ServedWork(scheduler.clocks()::millis, engine::dominantShare));
        long[] limit = queues.limits().perApplication(leaf);
        if (limit != null) {
            engine.setLimit(schedulable, limit);
        }
        HeddleApplication application = new HeddleApplication(leaf, event.getUser(), priority, unmanaged, schedulable);
        application.setHome(home);
        application.describe(rmApp);
        leaf.add(application);
        scheduler.applications().put(id, application);
        leaf.getMetrics().submitApp(event.getUser(), unmanaged);
        if (!event.getIsAppRecovering()) {
            send(new RMAppEvent(id, RMAppEventType.APP_ACCEPTED));
        } else if (plans.hasLost(leaf, event.getReservationID())) {
            String why = "Reservation " + event.getReservationID() + " of application " + id + " is over";
            send(new RMAppEvent(id, RMAppEventType.KILL, why));
        }
    }

    /** Tells the ResourceManager in which queue an application is, and which its store names. */
    private static void name(@Nullable RMApp rmApp, String queue, String stored) {
        if (rmApp != null) {
            rmApp.setQueue(queue);
            if (rmApp.getApplicationSubmissionContext() != null) {
                rmApp.getApplicationSubmissionContext().setQueue(stored);
            }
        }
    }

    /**
     * The leaf that placement chose; created if it is missing and new queues are allowed.
     *
     * @throws YarnException one sentence, if its reservation is not in force
     */
    private @Nullable HeddleQueue leaf(String wanted, AppAddedSchedulerEvent event) throws YarnException {
        String path = wanted;
        HeddleQueue named = plans.meant(path, event.getIsAppRecovering());
        if (named != null && named.spec().isPlan()) {
            path = plans.place(named, event.getApplicationId(), event.getReservationID(), event.getIsAppRecovering());
            named = queues.findExact(path);
        }
        if (named != null) {
            return named.isLeaf() ? named : null;
        }
        boolean placed = event.getPlacementContext() != null || event.getIsAppRecovering();
        return placed && path != null ? queues.makeLeaf(path) : null;
    }

    private @Nullable String refusal(ApplicationId id, String wanted, @Nullable HeddleQueue leaf, String user) {
        if (leaf == null) {
            if (queues.find(wanted) == null) {
                return "Application " + id + " is refused: it was submitted by user " + user + " to unknown queue: "
                        + wanted + "; name one of " + queues.someLeaves();
            }
            return "Application " + id + " is refused: queue " + wanted
                    + " has queues below it and takes no applications; name one of those";
        }
        String closed = leaf.closed(user, null);
        if (closed != null) {
            return "Application " + id + " is refused: " + closed;
        }
        String refusal =
                scheduler.isAdmitted(id) ? null : leaf.refusal(id, UserGroupInformation.createRemoteUser(user));
        RMApp submitted = scheduler.resourceManager().getRMApps().get(id);
        return refusal == null ? unservable.refusal(submitted, leaf) : refusal;
    }

    /** Why an application may not run yet; null if it may. */
    @Nullable
    public String whyNotAdmitted(HeddleApplication application) {
        return application.isRunnable() ? null : runLimits.full(application);
    }

    /** Sets an application's weight by its size, if that is configured. */
    public void weigh(HeddleAttempt attempt) {
        Schedulable schedulable = attempt.application().schedulable();
        if (queues.rules().weighBySize()) {
            double memory = schedulable.usage(0) + schedulable.demand()[0];
            double[] weight = evenWeights.clone();
            java.util.Arrays.fill(weight, Math.max(SMALLEST_WEIGHT, Math.log1p(memory) / Math.log(2)));
            engine.setWeight(schedulable, weight);
        } else if (schedulable.weight(0) != 1) {
            engine.setWeight(schedulable, evenWeights);
        }
    }

    /** Begins an attempt; containers that the previous attempt left stay with the application. */
    public void addAttempt(AppAttemptAddedSchedulerEvent event) {
        ApplicationAttemptId id = event.getApplicationAttemptId();
        HeddleApplication application = application(id.getApplicationId());
        if (application == null) {
            LOG.warn("Attempt {} belongs to no known application", id);
            return;
        }
        HeddleAttempt before = application.getCurrentAppAttempt();
        HeddleAttempt attempt = new HeddleAttempt(
                id,
                application,
                scheduler.resourceManager(),
                engine,
                vectors,
                whenAsksChange,
                scheduler.clocks()::millis);
        if (event.getTransferStateFromPreviousAttempt() && before != null) {
            attempt.transferStateFromPreviousAttempt(before);
        }
        application.setCurrentAppAttempt(attempt);
        application.leaf().getMetrics().submitAppAttempt(application.getUser(), application.isUnmanagedAM());
        runLimits.admit(application);
        attempt.noteAsks();
        if (!event.getIsAttemptRecovering()) {
            send(new RMAppAttemptEvent(id, RMAppAttemptEventType.ATTEMPT_ADDED));
        }
    }

    /** Ends an attempt and its containers; with {@code keepContainers} running ones stay for the next attempt. */
    public void removeAttempt(ApplicationAttemptId id, RMAppAttemptState state, boolean keepContainers) {
        HeddleApplication application = application(id.getApplicationId());
        HeddleAttempt attempt = application == null ? null : application.getCurrentAppAttempt();
        if (application == null
                || attempt == null
                || !attempt.getApplicationAttemptId().equals(id)
                || attempt.isStopped()) {
            LOG.info("Attempt {} has ended already", id);
            return;
        }
        for (RMContainer container : attempt.getLiveContainers()) {
            if (!keepContainers || container.getState() != RMContainerState.RUNNING) {
                scheduler.end(container, SchedulerUtils.COMPLETED_APPLICATION, RMContainerEventType.KILL);
            }
        }
        for (RMContainer standIn : attempt.standIns()) {
            scheduler.end(standIn, SchedulerUtils.COMPLETED_APPLICATION, RMContainerEventType.RELEASED);
        }
        releaseReservedNodes.accept(attempt);
        if (attempt.isAmRunning()) {
            attempt.bookMaster(application.leaf(), -1);
            attempt.setAmRunning(false);
        }
        attempt.stop(state);
        application
                .leaf()
                .getAbstractUsersManager()
                .deactivateApplication(application.getUser(), id.getApplicationId());
        attempt.syncAsks();
    }

    /** Forgets an application; an attempt that still runs ends before. */
    public void remove(ApplicationId id, RMAppState state) {
        HeddleApplication application = application(id);
        if (application == null) {
            LOG.info("Application {} is unknown; it may have been rejected", id);
            return;
        }
        HeddleAttempt attempt = application.getCurrentAppAttempt();
        if (attempt != null) {
            if (!attempt.isStopped()) {
                removeAttempt(attempt.getApplicationAttemptId(), RMAppAttemptState.FAILED, false);
            }
            for (RMContainer kept : attempt.getLiveContainers()) {
                scheduler.end(kept, SchedulerUtils.COMPLETED_APPLICATION, RMContainerEventType.KILL);
            }
            attempt.syncAsks();
        }
        scheduler.applications().remove(id);
        application.stop(state);
        HeddleQueue leaf = application.leaf();
        leaf.remove(application);
        engine.remove(application.schedulable());
        queues.dropUserIfIdle(leaf, application.getUser());
        runLimits.retire(application);
        runLimits.admitWaiting(runLimits.affectedBy(leaf, queues.root()));
    }

    /**
     * Moves an application to another leaf, or to a plan's queue for applications without a reservation; also between
     * two attempts, or before the first.
     *
     * @return the leaf's path
     * @throws YarnException one sentence, if there is no such leaf or it is full
     */
    public String move(ApplicationId id, String queueName) throws YarnException {
        HeddleApplication application = known(id);
        HeddleQueue to = checkMove(id, queueName);
        HeddleAttempt attempt = application.getCurrentAppAttempt();
        HeddleQueue from = application.leaf();
        if (from == to) {
            return to.getQueueName();
        }
        String obstacle = obstacle(application, from, to);
        if (obstacle != null) {
            throw new YarnException("Application " + id + " cannot be moved to " + to.getQueueName() + ": " + obstacle);
        }
        if (attempt != null) {
            releaseReservedNodes.accept(attempt);
        }
        boolean ran = application.isRunnable();
        runLimits.retire(application);
        if (attempt != null && attempt.isAmRunning()) {
            attempt.bookMaster(from, -1);
            attempt.bookMaster(to, 1);
        }
        Schedulable moved = engine.move(application.schedulable(), queues.user(to, application.getUser()));
        engine.setLimit(moved, queues.limits().perApplication(to));
        application.setSchedulable(moved);
        from.remove(application);
        if (attempt != null) {
            attempt.move(to);
        }
        application.setQueue(to);
        application.setHome(null);
        to.add(application);
        queues.dropUserIfIdle(from, application.getUser());
        if (ran || (attempt != null && !attempt.isStopped())) {
            runLimits.admit(application);
        }
        if (attempt != null) {
            attempt.syncAsks();
        }
        runLimits.admitWaiting(runLimits.affectedBy(from, queues.root()));
        return to.getQueueName();
    }

    /** The leaf to which an application would move; the limits are checked only by {@link #move}. */
    public HeddleQueue checkMove(ApplicationId id, String queueName) throws YarnException {
        HeddleQueue from = known(id).leaf();
        HeddleQueue named = queues.find(queueName);
        HeddleQueue to =
                named != null && named.spec().isPlan() ? queues.findExact(plans.place(named, id, null, false)) : named;
        if (to == null || !to.isLeaf()) {
            throw new YarnException("Application " + id + " cannot be moved: target queue " + queueName
                    + " does not exist or is not a leaf queue");
        }
        String closed = to.closed(known(id).getUser(), commonAncestor(from, to));
        if (closed != null) {
            throw new YarnException("Application " + id + " cannot be moved: " + closed);
        }
        return to;
    }

    private HeddleApplication known(ApplicationId id) throws YarnException {
        HeddleApplication application = application(id);
        if (application == null) {
            throw new YarnException("Application " + id + " to be moved is not known to the scheduler");
        }
        return application;
    }

    /**
     * The limit that forbids the move, among those of the user, the target queue and the queues above it which are not
     * above the present one; null if none.
     */
    private @Nullable String obstacle(HeddleApplication application, HeddleQueue from, HeddleQueue to) {
        HeddleQueue shared = commonAncestor(from, to);
        if (application.isRunnable()) {
            String full = RunLimits.full(to, application.getUser(), shared);
            if (full != null) {
                return full;
            }
        }
        queues.limits().refresh();
        long[] held = application.schedulable().usage();
        for (HeddleQueue queue = to; queue != null && queue != shared; queue = queue.parent()) {
            if (queue.schedulable().exceedsLimitWith(held)) {
                return "with what it holds, queue " + queue.getQueueName() + " would hold more than its max-resources";
            }
        }
        if (queues.limits().exceedsApplicationLimit(to, held)) {
            return "it holds more than the max-resources-per-application there";
        }
        Schedulable user = to.users().get(application.getUser());
        boolean tooMuch = user == null ? queues.limits().exceedsUserLimit(to, held) : user.exceedsLimitWith(held);
        if (tooMuch) {
            return "with what it holds, user " + application.getUser() + " would hold more there than its"
                    + " max-resources-per-user";
        }
        return null;
    }

    private static @Nullable HeddleQueue commonAncestor(HeddleQueue a, HeddleQueue b) {
        for (HeddleQueue queue = a; queue != null; queue = queue.parent()) {
            for (HeddleQueue other = b; other != null; other = other.parent()) {
                if (queue == other) {
                    return queue;
                }
            }
        }
        return null;
    }

    /** Changes an application's priority among its siblings. */
    void prioritize(HeddleApplication application, Priority priority) {
        application.setPriority(priority);
        HeddleAttempt attempt = application.getCurrentAppAttempt();
        if (attempt != null) {
            attempt.setPriority(priority);
        }
        engine.setPriority(application.schedulable(), priority.getPriority());
    }

    @Nullable
    public HeddleApplication application(ApplicationId id) {
        return (HeddleApplication) scheduler.applications().get(id);
    }

    /** After a change of the configuration: lost queues may be back, and limits may let more applications run. */
    public void configurationChanged() {
        for (ApplicationId id : List.copyOf(scheduler.applications().keySet())) {
            HeddleApplication application = application(id);
            if (application != null && application.home() != null && queues.isRecoveryLeaf(application.leaf())) {
                bringHome(id, application.home());
            }
        }
        runLimits.admitWaiting(queues.root());
    }

    /** Moves an application that has lost its queue back, if that queue is there again and takes it. */
    private void bringHome(ApplicationId id, String home) {
        HeddleQueue queue = queues.find(home);
        if (queue == null) {
            return;
        }
        try {
            String path = move(id, home);
            name(scheduler.resourceManager().getRMApps().get(id), path, path);
            LOG.info("Queue {} of recovered application {} is back: it continues there", path, id);
        } catch (YarnException e) {
            LOG.warn(
                    "Queue {} of recovered application {} is back, but it stays in {} (yarn application -changeQueue moves"
                            + " it later): {}",
                    home,
                    id,
                    queues.recoveryLeaf(),
                    e.getMessage());
        }
    }

    /** The scheduler stores nothing of its own in the state store. */
    public void recover(RMState state) {
        LOG.debug(
                "{} applications are being recovered",
                state.getApplicationState().size());
    }

    @SuppressWarnings("unchecked") // Hadoop's event handler does not declare the type of its events
    private void send(Event<?> event) {
        scheduler.resourceManager().getDispatcher().getEventHandler().handle(event);
    }
}
