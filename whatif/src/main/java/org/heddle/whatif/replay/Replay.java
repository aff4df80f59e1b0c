// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.replay;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.hadoop.yarn.util.resource.DefaultResourceCalculator;
import org.heddle.whatif.driven.AllocationChecker;
import org.heddle.whatif.driven.DrivenNode;
import org.heddle.whatif.driven.SchedulerDriver;
import org.heddle.whatif.model.History;
import org.heddle.whatif.model.Job;
import org.heddle.whatif.model.Size;
import org.heddle.whatif.outcome.Measurements;
import org.heddle.whatif.outcome.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * One scheduler, one past, one virtual clock. Everything happens on the caller's thread, in steps of a heartbeat: jobs
 * are submitted, tasks end, the scheduler's housekeeping runs, masters take what the last step allocated, nodes report.
 * Where nothing can happen the clock jumps. The same past gives the same outcome.
 */
public final class Replay implements AutoCloseable {
    /** After so many heartbeats at which nothing ran, ended or was allocated, nothing will be. */
    private static final int STALLED = 1_200;

    private static final long PROGRESS_JOBS = 1_000;

    /** Holds jobs back and changes queues while a replay runs, as the runner of a plan does. */
    public interface Steering {
        /** None: jobs are submitted at their times. */
        Steering NONE = (now, ended) -> false;

        /**
         * Called at each heartbeat.
         *
         * @param ended the ids of the jobs that have ended
         * @return whether the file of the queues has changed
         */
        boolean step(long nowMillis, Set<String> ended);

        /** Whether a job whose time has come may be submitted. */
        default boolean admits(Job job) {
            return true;
        }
    }

    private final History history;
    private final String name;
    private final long heartbeatMillis;
    private final Consumer<String> progress;
    private final ReplayManager manager = new ReplayManager();
    private final SchedulerDriver driver = new SchedulerDriver(manager);
    private final VirtualClock clock;
    private final Housekeeping housekeeping;
    private final ContainerTimes times = new ContainerTimes();
    private final Timers timers = new Timers();
    private final ReplayNodes nodes;
    private final AllocationChecker checker;
    private final Measurements measurements;
    private final boolean memoryOnly;
    private final Map<ContainerId, Container> live = new HashMap<>();
    private final Set<ContainerId> ending = new HashSet<>();
    private final Set<ReplayedJob> active = new LinkedHashSet<>();
    private final Waiting waiting = new Waiting();
    private final Set<ReplayedJob> calling = new LinkedHashSet<>();
    private final Set<ReplayedJob> repeating = new LinkedHashSet<>();
    private final Set<ReplayedJob> finished = new LinkedHashSet<>();
    private final Set<String> endedIds = new HashSet<>();
    /** Jobs whose time has come, and which are not submitted yet. */
    private final List<Job> held = new ArrayList<>();

    private int submitted;
    private int started;
    private int ended;
    private long allocations;
    private @Nullable RuntimeException problem;

    /**
     * Starts the ResourceManager.
     *
     * @param name of the scheduler, for the outcome
     * @param conf of the ResourceManager, with the scheduler and its queues
     * @param nodes the sizes of all nodes
     * @param everyHeartbeat whether every node sends every heartbeat while something is requested, also where its last
     *     ones showed that it gets nothing
     * @param progress takes a sentence now and then
     */
    public Replay(
            History history,
            String name,
            Configuration conf,
            List<Size> nodes,
            long heartbeatMillis,
            boolean everyHeartbeat,
            Consumer<String> progress) {
        this.history = history;
        this.name = name;
        this.heartbeatMillis = heartbeatMillis;
        this.progress = progress;
        clock = new VirtualClock(history.beginMillis());
        DefaultMetricsSystem.setMiniClusterMode(true); // one process has several ResourceManagers, one after another
        QueueMetrics.clearQueueMetrics();
        manager.init(conf);
        driver.scheduler().setClock(clock);
        manager.start();
        housekeeping = Housekeeping.of(manager, clock);
        memoryOnly = driver.scheduler().getResourceCalculator() instanceof DefaultResourceCalculator;
        this.nodes = new ReplayNodes(nodes, driver.context(), everyHeartbeat);
        Map<NodeId, Resource> sizes = new HashMap<>();
        long memory = 0;
        int vcores = 0;
        for (int i = 0; i < nodes.size(); i++) {
            DrivenNode node = this.nodes.all().get(i);
            driver.add(node);
            sizes.put(
                    node.getNodeID(),
                    Resource.newInstance(nodes.get(i).memoryMb(), nodes.get(i).vcores()));
            memory += nodes.get(i).memoryMb();
            vcores += nodes.get(i).vcores();
        }
        manager.drain();
        checker = new AllocationChecker(node -> Objects.requireNonNull(sizes.get(node)), memoryOnly);
        measurements = new Measurements(history.beginMillis(), intervalMillis(), new Size(memory, vcores));
    }

    /** A whole number of heartbeats, so that the recorded past has about 240 intervals. */
    private long intervalMillis() {
        long wanted = (history.endMillis() - history.beginMillis()) / 240;
        return Math.max(1, wanted / heartbeatMillis) * heartbeatMillis;
    }

    /**
     * Replays the past.
     *
     * @param remarks go into the outcome
     * @throws IllegalStateException if the scheduler allocates what is not there
     */
    public Outcome run(List<String> remarks) {
        return run(remarks, Steering.NONE);
    }

    /** The same, steered. */
    public Outcome run(List<String> remarks, Steering steering) {
        int idle = 0;
        while (true) {
            long now = now();
            long before = allocations;
            if (steering.step(now, endedIds)) {
                refreshQueues();
            }
            submitDue(now, steering);
            timers.run(now);
            drain();
            housekeeping.tick(now);
            drain();
            masters(now);
            nodes.heartbeats(waiting.sizes(), memoryOnly, this::heartbeat);
            removeFinished(now);
            boolean over = submitted == history.jobs().size() && held.isEmpty();
            if (over && active.isEmpty()) {
                break;
            }
            idle = over && timers.isEmpty() && allocations == before ? idle + 1 : 0;
            if (idle > STALLED) {
                break;
            }
            long next = steering == Steering.NONE ? next(now) : now + heartbeatMillis;
            measurements.waited(waiting.users(), next - now);
            clock.set(next);
        }
        List<String> unfinished = active.stream().map(job -> job.job().id()).toList();
        new ArrayList<>(active).forEach(ReplayedJob::remove);
        check();
        return measurements.outcome(name, unfinished, remarks, now());
    }

    private void refreshQueues() {
        try {
            driver.scheduler().reinitialize(manager.getConfig(), driver.context());
        } catch (IOException e) {
            throw new IllegalStateException("the queues were changed to what cannot be put into force", e);
        }
        drain();
    }

    private void submitDue(long now, Steering steering) {
        while (submitted < history.jobs().size()
                && history.jobs().get(submitted).submittedMillis() <= now) {
            held.add(history.jobs().get(submitted++));
        }
        held.removeIf(job -> {
            boolean admitted = steering.admits(job);
            if (admitted) {
                submit(job);
            }
            return admitted;
        });
    }

    private void submit(Job job) {
        started++;
        ReplayedJob replayed = new ReplayedJob(this, job, ApplicationId.newInstance(history.beginMillis(), started));
        String refusal = replayed.submit();
        if (refusal == null) {
            active.add(replayed);
            replayed.begin();
        } else {
            measurements.refused(job.queue(), sentence(refusal, replayed));
            countEnd();
        }
    }

    private boolean heartbeat(DrivenNode node) {
        long before = allocations;
        driver.scheduler().handle(new NodeUpdateSchedulerEvent(node));
        drain();
        return allocations > before;
    }

    private void masters(long now) {
        for (ReplayedJob job : List.copyOf(repeating)) {
            job.makeRoomForMaps(now);
        }
        List<ReplayedJob> due = List.copyOf(calling);
        calling.clear();
        for (ReplayedJob job : due) {
            job.heartbeat(now);
            drain();
            waiting.changed(job);
        }
    }

    private void removeFinished(long now) {
        for (ReplayedJob job : finished) {
            endedIds.add(job.job().id());
            job.measureEnd(now);
            forget(job);
        }
        finished.clear();
    }

    private void forget(ReplayedJob job) {
        job.remove();
        waiting.changed(job);
        active.remove(job);
        calling.remove(job);
        repeating.remove(job);
        countEnd();
    }

    private void countEnd() {
        ended++;
        long jobs = history.jobs().size();
        if (jobs >= PROGRESS_JOBS && ended % (jobs / 10) == 0) {
            progress.accept(name + ": " + ended + " of " + jobs + " jobs have ended");
        }
    }

    /** The next heartbeat at which anything can happen. */
    private long next(long now) {
        long tick = now + heartbeatMillis;
        if (nodes.hasNews() || !calling.isEmpty() || !waiting.isEmpty()) {
            return tick;
        }
        long event = timers.next();
        if (submitted < history.jobs().size()) {
            event = Math.min(event, history.jobs().get(submitted).submittedMillis());
        }
        if (event == Long.MAX_VALUE || event <= tick) {
            return tick;
        }
        return now + (event - now + heartbeatMillis - 1) / heartbeatMillis * heartbeatMillis;
    }

    /** All containers are back, in our books and in the scheduler's. */
    private void check() {
        nodes.heartbeats(Set.of(), memoryOnly, this::heartbeat); // nodes report what ended last
        if (checker.live() > 0) {
            throw new IllegalStateException(checker.live() + " containers are left when all jobs have gone");
        }
        for (DrivenNode node : nodes.all()) {
            checker.compare(
                    node.getNodeID(),
                    driver.scheduler().getSchedulerNode(node.getNodeID()).getUnallocatedResource());
        }
    }

    // ---- for jobs ----

    long now() {
        return clock.getTime();
    }

    SchedulerDriver driver() {
        return driver;
    }

    Timers timers() {
        return timers;
    }

    Measurements measurements() {
        return measurements;
    }

    void drain() {
        manager.drain();
        if (problem != null) {
            throw problem;
        }
    }

    /** Something went wrong while an event was handled. */
    void problem(RuntimeException e) {
        if (problem == null) {
            problem = e;
        }
    }

    /** The scheduler has a container for a job. */
    void allocated(ReplayedJob job) {
        allocations++;
        calls(job);
    }

    /** The master of a job calls at its next heartbeat. */
    void calls(ReplayedJob job) {
        calling.add(job);
        waiting.changed(job);
    }

    /** A job waits for its master. */
    void begun(ReplayedJob job) {
        waiting.changed(job);
    }

    /** A master has taken a container. */
    void started(Container container, String queue, String user, @Nullable RMContainer known) {
        times.created(known, now());
        checker.given(container);
        live.put(container.getId(), container);
        nodes.start(container);
        measurements.started(queue, user, size(container), now());
    }

    /** A container ends by itself. */
    void ending(Container container) {
        ending.add(container.getId());
        nodes.end(container);
    }

    /** The scheduler has taken a container off its books; false if no master had it. */
    boolean gone(ContainerId id, String queue, String user) {
        Container container = live.remove(id);
        if (container == null) {
            return false;
        }
        checker.ended(container);
        nodes.gone(container, !ending.remove(id));
        measurements.ended(queue, user, size(container), now());
        return true;
    }

    private static Size size(Container container) {
        Resource size = container.getResource();
        return new Size(size.getMemorySize(), size.getVirtualCores());
    }

    /** A job lost a task's container. */
    void repeats(ReplayedJob job) {
        repeating.add(job);
    }

    /** A job has run all its tasks. */
    void done(ReplayedJob job) {
        finished.add(job);
    }

    /** A scheduler's words, without an id that the past does not have, as a part of a sentence. */
    private static String sentence(String words, ReplayedJob job) {
        return words.replaceAll("(?i)(application )?" + job.id(), "the application")
                .replaceAll("\\s+", " ")
                .strip()
                .replaceFirst("\\.$", "");
    }

    /** The scheduler refuses what a job requests. */
    void failed(ReplayedJob job, String reason) {
        measurements.refused(job.job().queue(), sentence(reason, job));
        forget(job);
    }

    @Override
    public void close() {
        manager.stop();
        QueueMetrics.clearQueueMetrics();
    }
}
