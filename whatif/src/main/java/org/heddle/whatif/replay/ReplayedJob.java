// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.replay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.exceptions.YarnRuntimeException;
import org.apache.hadoop.yarn.server.resourcemanager.placement.ApplicationPlacementContext;
import org.apache.hadoop.yarn.server.resourcemanager.placement.PlacementManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.event.RMAppAttemptContainerFinishedEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerImpl;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.heddle.whatif.driven.SubmittedApplication;
import org.heddle.whatif.model.Job;
import org.heddle.whatif.model.Size;
import org.heddle.whatif.model.StagedWork;
import org.heddle.whatif.model.TaskGroup;
import org.heddle.whatif.model.TaskKind;
import org.jspecify.annotations.Nullable;

/**
 * The ApplicationMaster of a job: requests its tasks, starts them in the containers that come, and requests those once
 * more whose containers the scheduler has ended. A task that has ended is not run again, even if the master is.
 */
final class ReplayedJob {
    /**
     * As {@code mapreduce.job.reducer.unconditional-preempt.delay.sec}: then reduces make room for a map that waits.
     */
    private static final long MAP_PATIENCE_MILLIS = 300_000;

    private static final Priority MASTER = Priority.newInstance(0);
    /** Request ids of task groups begin behind it. */
    private static final int MASTER_REQUEST = 0;

    /** A task in its container. */
    private static final class Running {
        final Container container;
        final TaskQueue queue;
        final int task;
        final long sinceMillis;

        Running(Container container, TaskQueue queue, int task, long sinceMillis) {
            this.container = container;
            this.queue = queue;
            this.task = task;
            this.sinceMillis = sinceMillis;
        }

        TaskKind kind() {
            return queue.group().kind();
        }
    }

    private final Replay replay;
    private final Job job;
    private final ApplicationId id;
    private final List<TaskQueue> queues = new ArrayList<>();
    private final @Nullable Executors executors;
    /** Executors that were given back, because they had no task. */
    private final Deque<Running> released = new ArrayDeque<>();

    private final Map<ContainerId, Running> running = new LinkedHashMap<>();
    private SubmittedApplication submitted;
    private ApplicationAttemptId attempt;
    private int attempts;
    private long masterRequestedMillis;
    private @Nullable Container master;
    private @Nullable String refusal;
    private String leaf = "";
    private boolean ready;
    private boolean changed;
    private boolean restarting;
    private boolean over;

    ReplayedJob(Replay replay, Job job, ApplicationId id) {
        this.replay = replay;
        this.job = job;
        this.id = id;
        job.groups().forEach(group -> queues.add(new TaskQueue(group)));
        StagedWork work = job.work();
        executors = work == null ? null : new Executors(work, this);
        masterRequestedMillis = job.submittedMillis();
        attempt = ApplicationAttemptId.newInstance(id, 1);
        submitted = submission();
    }

    Job job() {
        return job;
    }

    ApplicationId id() {
        return id;
    }

    private SubmittedApplication submission() {
        attempt = ApplicationAttemptId.newInstance(id, ++attempts);
        SubmittedApplication application = SubmittedApplication.managed(
                attempt, job.user(), job.queue(), replay.driver().context(), masterRequest(), this::on);
        int most = replay.driver().scheduler().getMaxClusterLevelAppPriority().getPriority();
        application.submission().setPriority(Priority.newInstance(Math.min(job.priority(), most)));
        return application;
    }

    private ResourceRequest masterRequest() {
        return request(MASTER_REQUEST, MASTER, job.master(), 1);
    }

    private static ResourceRequest request(int number, Priority priority, Size size, int containers) {
        return ResourceRequest.newBuilder()
                .allocationRequestId(number)
                .priority(priority)
                .resourceName(ResourceRequest.ANY)
                .capability(Resource.newInstance(size.memoryMb(), size.vcores()))
                .numContainers(containers)
                .nodeLabelExpression("")
                .build();
    }

    /**
     * Submits the job as a client does: placement rules first, then the scheduler. Returns why not; null if accepted.
     */
    @Nullable
    String submit() {
        PlacementManager rules = replay.driver().context().getQueuePlacementManager();
        ApplicationPlacementContext placement;
        try {
            placement = rules == null ? null : rules.placeApplication(submitted.submission(), job.user());
        } catch (YarnException e) {
            return String.valueOf(e.getMessage());
        }
        if (placement != null) {
            submitted.submission().setQueue(placement.getQueue());
        }
        replay.driver().submit(submitted, job.user(), submitted.submission().getQueue(), placement);
        replay.drain();
        SchedulerApplication<?> accepted =
                replay.driver().scheduler().getSchedulerApplications().get(id);
        if (refusal != null || accepted == null) {
            replay.driver().context().getRMApps().remove(id);
            return refusal == null ? "the scheduler does not accept it" : refusal;
        }
        Queue queue = accepted.getQueue();
        leaf = queue instanceof CSQueue ofCapacity ? ofCapacity.getQueuePath() : queue.getQueueName();
        return null;
    }

    /** Begins an attempt: its master needs a container. */
    void begin() {
        replay.begun(this);
        replay.driver().begin(attempt);
        replay.drain();
        try {
            replay.driver().allocate(attempt, List.of(masterRequest()));
        } catch (YarnRuntimeException e) {
            replay.failed(this, String.valueOf(e.getMessage()));
        }
        replay.drain();
    }

    /** What the ResourceManager tells the application; it would only log what goes wrong here. */
    private void on(Event<?> event) {
        try {
            told(event);
        } catch (RuntimeException e) {
            replay.problem(e);
        }
    }

    private void told(Event<?> event) {
        if (event instanceof RMAppEvent ofApp && ofApp.getType() == RMAppEventType.APP_REJECTED) {
            refusal = String.valueOf(ofApp.getDiagnosticMsg());
        } else if (event instanceof RMAppAttemptContainerFinishedEvent ended) {
            ended(ended.getContainerStatus().getContainerId());
        } else if (event instanceof RMAppAttemptEvent ofAttempt
                && ofAttempt.getType() == RMAppAttemptEventType.CONTAINER_ALLOCATED) {
            replay.allocated(this);
        }
    }

    // ---- the master ----

    /** Whether the job waits for a container. */
    boolean wants() {
        return !over
                && !restarting
                && (master == null || (ready && queues.stream().anyMatch(queue -> queue.requested() > 0)));
    }

    /** Adds the sizes of all containers that the job waits for. */
    void wanted(Set<Size> sizes) {
        if (over || restarting) {
            return;
        }
        if (master == null) {
            sizes.add(job.master());
        }
        for (TaskQueue queue : queues) {
            if (ready && queue.requested() > 0) {
                sizes.add(queue.group().size());
            }
        }
    }

    /** Takes the containers that came, and then sends the requests if they changed. */
    void heartbeat(long now) {
        if (over || restarting) {
            return;
        }
        try {
            replay.driver().allocate(attempt, List.of()).forEach(container -> take(container, now));
            openReduces(now);
            if (changed && ready) {
                changed = false;
                replay.driver().allocate(attempt, requests()).forEach(container -> take(container, now));
            }
        } catch (YarnRuntimeException e) {
            replay.failed(this, String.valueOf(e.getMessage()));
        }
    }

    private List<ResourceRequest> requests() {
        List<ResourceRequest> requests = new ArrayList<>();
        for (int i = 0; i < queues.size(); i++) {
            TaskGroup group = queues.get(i).group();
            Priority priority = Priority.newInstance(group.kind().priority());
            if (queues.get(i).isOpen()) {
                requests.add(request(
                        MASTER_REQUEST + 1 + i,
                        priority,
                        group.size(),
                        queues.get(i).requested()));
            }
        }
        return requests;
    }

    private void take(Container container, long now) {
        RMContainer known = replay.driver().scheduler().getRMContainer(container.getId());
        replay.started(container, leaf, job.user(), known);
        if (master == null) {
            master = container;
            submitted.master(container);
            if (known instanceof RMContainerImpl one) {
                one.setAMContainer(true);
            }
            replay.measurements().masterWaited(leaf, job.user(), now - masterRequestedMillis);
            int current = attempts;
            replay.timers().at(now + job.startMillis(), () -> ready(current));
            return;
        }
        int number = (int) container.getAllocationRequestId() - MASTER_REQUEST - 1;
        TaskQueue queue = number >= 0 && number < queues.size() ? queues.get(number) : null;
        TaskQueue.Given given = queue == null ? null : queue.give(now);
        if (queue == null || given == null) {
            replay.driver().release(attempt, container.getId()); // was requested no longer
            return;
        }
        Running task = new Running(container, queue, given.task(), now);
        running.put(container.getId(), task);
        replay.measurements().taskWaited(leaf, job.user(), given.waitedMillis());
        if (executors != null) {
            executors.came(container.getId(), now);
        } else if (queue.group().kind() == TaskKind.MAP || mapsEnded()) {
            run(task, now);
        }
    }

    private void run(Running task, long now) {
        replay.timers().at(now + task.queue.group().millis()[task.task], () -> end(task));
    }

    private void ready(int ofAttempt) {
        if (over || ofAttempt != attempts) {
            return;
        }
        ready = true;
        for (TaskQueue queue : queues) {
            if (queue.group().kind() != TaskKind.REDUCE && !queue.isOpen()) {
                queue.open(replay.now());
            }
        }
        changed();
        if (executors != null) {
            executors.driverStarted(replay.now());
        }
        endIfDone();
    }

    private void changed() {
        changed = true;
        replay.calls(this);
    }

    // ---- tasks ----

    private boolean mapsEnded() {
        return queues.stream().allMatch(queue -> queue.group().kind() != TaskKind.MAP || queue.isDone());
    }

    /** Reduces are requested when enough maps have ended and none waits for a container. */
    private void openReduces(long now) {
        if (!ready) {
            return;
        }
        long maps = 0;
        long ended = 0;
        boolean waiting = false;
        for (TaskQueue queue : queues) {
            if (queue.group().kind() == TaskKind.MAP) {
                maps += queue.group().millis().length;
                ended += queue.ended();
                waiting |= queue.requested() > 0;
            }
        }
        if (waiting || ended < Math.ceil(job.slowstart() * maps)) {
            return;
        }
        for (TaskQueue queue : queues) {
            if (queue.group().kind() == TaskKind.REDUCE && !queue.isOpen()) {
                queue.open(now);
                changed();
            }
        }
    }

    /** A task has run for its time. */
    private void end(Running task) {
        if (over || running.get(task.container.getId()) != task) {
            return; // the scheduler ended it before
        }
        long now = replay.now();
        running.remove(task.container.getId());
        task.queue.end();
        replay.ending(task.container);
        replay.measurements().taskEnded(leaf, job.user());
        if (task.kind() == TaskKind.MAP) {
            if (mapsEnded()) {
                blockedReduces().forEach(reduce -> run(reduce, now));
            }
            openReduces(now);
        }
        endIfDone();
    }

    /** Reduces which wait for maps. */
    private List<Running> blockedReduces() {
        return running.values().stream()
                .filter(task -> task.kind() == TaskKind.REDUCE)
                .toList();
    }

    void endIfDone() {
        boolean isDone = executors == null ? queues.stream().allMatch(TaskQueue::isDone) : executors.isDone();
        if (ready && isDone) {
            replay.done(this);
        }
    }

    // ---- executors ----

    long now() {
        return replay.now();
    }

    /** Calls its executors at a time. */
    void wake(long millis, Runnable action) {
        replay.timers().at(millis, () -> {
            if (!over) {
                action.run();
            }
        });
    }

    void executedTask() {
        replay.measurements().taskEnded(leaf, job.user());
        endIfDone();
    }

    /** An executor has had no task for too long. */
    void giveBack(ContainerId executor) {
        Running idle = running.remove(executor);
        if (idle != null) {
            replay.ending(idle.container);
            released.add(idle);
        }
    }

    /** Tasks wait for executors that were given back. */
    void requestAgain(int most) {
        for (int i = 0; i < most && !released.isEmpty(); i++) {
            Running once = released.remove();
            once.queue.repeat(once.task, replay.now());
            changed();
        }
    }

    /** A map that lost its container has waited for too long: reduces, which wait for it, give theirs back. */
    void makeRoomForMaps(long now) {
        boolean starves = !over
                && ready
                && queues.stream()
                        .anyMatch(queue -> queue.group().kind() == TaskKind.MAP
                                && queue.requested() > 0
                                && now - queue.oldestMillis() >= MAP_PATIENCE_MILLIS);
        if (starves) {
            for (Running reduce : blockedReduces()) {
                running.remove(reduce.container.getId());
                reduce.queue.repeat(reduce.task, now);
                replay.driver().release(attempt, reduce.container.getId());
            }
            changed();
            replay.drain();
        }
    }

    /** The scheduler has taken a container off its books. */
    private void ended(ContainerId container) {
        long now = replay.now();
        if (!replay.gone(container, leaf, job.user()) || over) {
            return; // never came to the master: the scheduler requests it again itself
        }
        if (master != null && master.getId().equals(container)) {
            replay.measurements().preempted(leaf, job.user(), 0);
            restart(now);
            return;
        }
        Running task = running.remove(container);
        if (task != null) {
            replay.measurements().preempted(leaf, job.user(), now - task.sinceMillis);
            task.queue.repeat(task.task, now);
            changed();
            replay.repeats(this);
            if (executors != null) {
                executors.lost(container, now);
            }
        }
    }

    /** The master is gone, and its containers with it: another attempt begins. */
    private void restart(long now) {
        replay.driver().end(attempt, RMAppAttemptState.FAILED);
        restarting = true;
        replay.begun(this);
        master = null;
        ready = false;
        masterRequestedMillis = now;
        replay.timers().at(now, () -> {
            if (!over) {
                restarting = false;
                submitted = submission();
                replay.driver().context().getRMApps().put(id, submitted.app());
                begin();
            }
        });
    }

    /** Takes the job out of the scheduler, with its master and whatever still runs. */
    void remove() {
        over = true;
        replay.driver().end(attempt, RMAppAttemptState.FINISHED);
        replay.drain();
        replay.driver().remove(id);
        replay.drain();
        replay.driver().context().getRMApps().remove(id);
    }

    /** Measures the end of a job that is done. */
    void measureEnd(long now) {
        replay.measurements().jobEnded(job.id(), leaf, job.user(), now - job.submittedMillis(), now);
    }
}
