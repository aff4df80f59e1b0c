// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.sim;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.event.Event;
import org.jspecify.annotations.Nullable;

/**
 * Runs one scenario under one mode. The master and the nodes heartbeat about once a second, each at its own phase; a
 * container starts half a second after the master has it. Whatever an ApplicationMaster does with a speculator's
 * events, this does: any kill of an attempt of an unfinished task brings a new one, the first success kills the rest.
 */
public final class Simulation {
    static final long HEARTBEAT_MILLIS = 1_000;
    static final long LAUNCH_MILLIS = 500;
    // Real heartbeats and passes drift against each other by what they take.
    private static final int DRIFT_MILLIS = 30;
    private static final long GIVE_UP_MILLIS = 24 * 3_600_000L;
    private static final double SLOW_START = 0.05;

    private record Timed(long at, long order, Runnable what) {}

    final Scenario scenario;
    final Mode mode;
    final long seed;
    final SimJob job;
    private final PriorityQueue<Timed> agenda =
            new PriorityQueue<>(Comparator.comparingLong(Timed::at).thenComparingLong(Timed::order));
    final Containers containers;
    private final Random drift;
    // Apart from the heartbeats' own, which are the same under every mode.
    private final Random passDrift;
    private final List<Outcome.Run> runs = new ArrayList<>();
    private Mode.@Nullable Driver driver;
    // Apart from what draws durations, which are the same with and without faults.
    private final Random faultsDrawn;
    private final List<Long> passNanos = new ArrayList<>();
    private LongSupplier cpuNanos = () -> 0;
    private long now;
    private long begin;
    private long order;
    private boolean reducesAsked;
    private int backups;
    private int won;
    private long wasted;
    private long busy;

    private Simulation(Scenario scenario, Mode mode, long seed) {
        this.scenario = scenario;
        this.mode = mode;
        this.seed = seed;
        this.job = new SimJob(scenario.maps(), scenario.reduces());
        this.containers = new Containers(scenario.nodes().size(), scenario.slots(), scenario.sharing());
        this.drift = new Random(seed);
        this.passDrift = new Random(seed);
        this.faultsDrawn = new Random(seed + 1);
    }

    /**
     * Runs to the end of the job, and tells the processor time of each pass of the speculator.
     *
     * @param cpuNanos the thread's processor time; a source of 0 measures nothing
     * @return nanoseconds of each pass, in order
     */
    public static List<Long> times(Scenario scenario, Mode mode, long seed, LongSupplier cpuNanos) {
        Simulation simulation = new Simulation(scenario, mode, seed);
        simulation.cpuNanos = cpuNanos;
        simulation.run();
        return simulation.passNanos;
    }

    /** Runs to the end of the job. */
    public static Outcome run(Scenario scenario, Mode mode, long seed) {
        return new Simulation(scenario, mode, seed).run();
    }

    private Outcome run() {
        now = 1_000_000; // DefaultSpeculator takes start times <= 1 for "unknown"
        begin = now;
        Configuration conf = new Configuration(false);
        conf.setLong(MRJobConfig.TASK_PROGRESS_REPORT_INTERVAL, scenario.reportMillis());
        conf.setBoolean(MRJobConfig.MAP_SPECULATIVE, true);
        conf.setBoolean(MRJobConfig.REDUCE_SPECULATIVE, true);
        mode.settings().accept(conf);
        if (mode.kind() == Mode.Kind.STOCK || mode.kind() == Mode.Kind.LATE) {
            driver = mode.driver(conf, job.context(this::clock, this::obey), scenario);
            if (scenario.faults().createdAfter() > 0) {
                at(now + scenario.faults().createdAfter(), () -> tell(new SpeculatorEvent(job.id, clock())));
            } else {
                tell(new SpeculatorEvent(job.id, clock()));
            }
            at(now + HEARTBEAT_MILLIS, this::pass);
        } else if (mode.kind() != Mode.Kind.NONE) {
            at(now + HEARTBEAT_MILLIS, new Clairvoyant(this)::foresee);
        }
        job.maps.values().forEach(task -> request((SimTask) task));
        at(now + drift.nextInt((int) HEARTBEAT_MILLIS), this::masterBeat);
        for (int n = 0; n < scenario.nodes().size(); n++) {
            int node = n;
            at(now + drift.nextInt((int) HEARTBEAT_MILLIS), () -> nodeBeat(node));
        }
        while (!over()) {
            Timed next = agenda.remove();
            now = next.at();
            if (now - begin > GIVE_UP_MILLIS) {
                throw new IllegalStateException(scenario.name() + " under " + mode.name() + " with seed " + seed
                        + " did not end within a day of virtual time");
            }
            next.what().run();
        }
        return new Outcome(now - begin, backups, won, wasted, busy, List.copyOf(runs));
    }

    long now() {
        return now;
    }

    /** What the ApplicationMaster's clock says. */
    private long clock() {
        return now - begin >= scenario.faults().jumpAfter()
                ? now + scenario.faults().jumpBy()
                : now;
    }

    private boolean over() {
        return job.mapsDone == job.maps.size() && job.reducesDone == job.reduces.size();
    }

    void at(long time, Runnable what) {
        agenda.add(new Timed(time, order++, what));
    }

    private void tell(SpeculatorEvent event) {
        if (driver != null) {
            driver.speculator().handle(event);
        }
    }

    private void pass() {
        if (driver != null) {
            long before = cpuNanos.getAsLong();
            long pause = driver.pass();
            passNanos.add(cpuNanos.getAsLong() - before);
            at(now + pause + passDrift.nextInt(DRIFT_MILLIS), this::pass);
        }
    }

    /** What the ApplicationMaster's dispatcher does with events of a speculator, one turn later. */
    private void obey(Event<?> event) {
        at(now, () -> {
            if (event instanceof TaskEvent ask && ask.getType() == TaskEventType.T_ADD_SPEC_ATTEMPT) {
                SimTask task = job.task(ask.getTaskID());
                if (task.running()) {
                    request(task);
                }
            } else if (event instanceof TaskAttemptKillEvent kill) {
                TaskAttemptId id = kill.getTaskAttemptID();
                SimTask task = job.task(id.getTaskId());
                SimAttempt attempt = (SimAttempt) task.attempts.get(id);
                if (attempt != null && !attempt.isFinished()) {
                    end(attempt, TaskAttemptState.KILLED);
                    if (!task.succeeded) {
                        request(task);
                    }
                }
            }
        });
    }

    void request(SimTask task) {
        TaskAttemptId id = MRBuilderUtils.newTaskAttemptId(task.id, task.attempts.size());
        SimAttempt attempt = new SimAttempt(id, task, task.attempts.isEmpty());
        task.attempts.put(id, attempt);
        containers.request(attempt);
        tell(new SpeculatorEvent(task.id, 1));
    }

    private void masterBeat() {
        at(now + HEARTBEAT_MILLIS + drift.nextInt(DRIFT_MILLIS), this::masterBeat);
        containers.masterBeat((double) job.mapsDone / job.maps.size(), this::launch);
    }

    private void nodeBeat(int node) {
        at(now + HEARTBEAT_MILLIS + drift.nextInt(DRIFT_MILLIS), () -> nodeBeat(node));
        containers.nodeBeat(node);
    }

    void launch(SimAttempt attempt, int node) {
        attempt.node = node;
        attempt.nodeId = nodeId(node);
        attempt.startedAt = now + LAUNCH_MILLIS;
        tell(new SpeculatorEvent(attempt.task.id, -1));
        if (!attempt.original) {
            backups++;
        }
        at(now + LAUNCH_MILLIS, () -> start(attempt));
    }

    private void start(SimAttempt attempt) {
        if (attempt.isFinished()) {
            return;
        }
        attempt.state = TaskAttemptState.RUNNING;
        attempt.launchTime = clock();
        tell(new SpeculatorEvent(attempt.id, true, clock()));
        SimNode node = scenario.nodes().get(attempt.node);
        if (attempt.task.getType() == TaskType.MAP) {
            attempt.course = scenario.mapCourse(attempt.task.id.getId(), node, now, random(attempt.id));
        } else {
            attempt.course = scenario.begin(node, now);
            attempt.mayFetchFrom = attempt.course.end();
            if (job.mapsDone == job.maps.size()) {
                fetch(attempt, 0);
            } else {
                attempt.course = null;
            }
        }
        finishWhenKnown(attempt);
        at(now + scenario.reportMillis(), () -> report(attempt));
    }

    /** The maps are done: the rest of a reduce's course is known. */
    void fetch(SimAttempt attempt, double fetched) {
        SimNode node = scenario.nodes().get(attempt.node);
        int task = attempt.task.id.getId();
        ProgressCurve course = attempt.course == null ? new ProgressCurve(attempt.startedAt) : attempt.course;
        if (attempt.course == null) {
            course.add(Math.max(now, attempt.startedAt), fetched * scenario.fetchScore());
        }
        course.work(scenario.fetchWork(task) * (1 - fetched), scenario.fetchScore(), node.forMaps(), 1);
        attempt.fetchedAt = course.end();
        scenario.afterFetch(course, task, node, random(attempt.id));
        attempt.course = course;
    }

    private void finishWhenKnown(SimAttempt attempt) {
        if (attempt.course != null) {
            at(attempt.course.end(), () -> succeed(attempt));
        }
    }

    /** Share of its input a waiting reduce has: bounded by its own pace and by the maps that are done. */
    private double fetched(SimAttempt attempt) {
        SimNode node = scenario.nodes().get(attempt.node);
        double own = (now - attempt.mayFetchFrom)
                / Math.max(
                        1,
                        scenario.fetchWork(attempt.task.id.getId())
                                * node.forMaps().factorAt(now));
        return Math.max(0, Math.min(own, (double) job.mapsDone / job.maps.size()));
    }

    private void report(SimAttempt attempt) {
        if (attempt.isFinished()) {
            return;
        }
        at(now + scenario.reportMillis(), () -> report(attempt));
        float truth = scenario.faults()
                .scoreAfter(attempt.course != null ? attempt.course.at(now) : fetched(attempt) * scenario.fetchScore());
        SimNode node = scenario.nodes().get(attempt.node);
        if (scenario.faults().silent(truth, node)) {
            return;
        }
        float progress = scenario.faults().report(truth, node, faultsDrawn);
        // A task without new progress sends a ping, which causes no event.
        if (truth > attempt.truth || progress != truth) {
            attempt.truth = truth;
            attempt.reported = progress;
            tell(new SpeculatorEvent(status(attempt), clock()));
        }
    }

    private TaskAttemptStatus status(SimAttempt attempt) {
        TaskAttemptStatus status = new TaskAttemptStatus();
        status.counters = counters(attempt);
        status.id = attempt.id;
        status.progress = attempt.reported;
        // As in the ApplicationMaster: the status that comes with a success is the last one the task sent.
        status.taskState = TaskAttemptState.RUNNING;
        return status;
    }

    /** A map counts the records that it has read, a reduce the bytes that it has fetched. */
    private Counters counters(SimAttempt attempt) {
        Counters counters = new Counters();
        int task = attempt.task.id.getId();
        if (attempt.task.getType() == TaskType.MAP) {
            double records = scenario.recordsOfInput(task) * attempt.truth;
            counters.findCounter(TaskCounter.MAP_INPUT_RECORDS).setValue(Math.round(records));
        } else {
            long maps = Math.round(scenario.maps() * Math.min(1, attempt.truth / scenario.fetchScore()));
            double bytes = scenario.bytesOfReduce(task) * maps / scenario.maps();
            counters.findCounter(TaskCounter.SHUFFLED_MAPS).setValue(maps);
            counters.findCounter(TaskCounter.REDUCE_SHUFFLE_BYTES).setValue(Math.round(bytes));
        }
        return counters;
    }

    private void succeed(SimAttempt attempt) {
        if (attempt.isFinished()) {
            return;
        }
        SimTask task = attempt.task;
        attempt.reported = 1;
        attempt.truth = 1;
        end(attempt, TaskAttemptState.SUCCEEDED);
        task.succeeded = true;
        tell(new SpeculatorEvent(status(attempt), clock()));
        if (!attempt.original) {
            won++;
        }
        for (TaskAttempt other : task.attempts.values()) {
            if (!other.isFinished()) {
                end((SimAttempt) other, TaskAttemptState.KILLED);
            }
        }
        if (task.getType() == TaskType.MAP) {
            job.mapsDone++;
            mapDone();
        } else {
            job.reducesDone++;
        }
    }

    private void mapDone() {
        if (!reducesAsked && job.mapsDone >= SLOW_START * job.maps.size()) {
            reducesAsked = true;
            job.reduces.values().forEach(task -> request((SimTask) task));
        }
        if (job.mapsDone == job.maps.size()) {
            for (Task task : job.reduces.values()) {
                for (SimAttempt attempt : ((SimTask) task).live()) {
                    if (attempt.state == TaskAttemptState.RUNNING) {
                        fetch(attempt, Math.min(fetched(attempt), 1 - Scenario.LAST_FETCH));
                        finishWhenKnown(attempt);
                    }
                }
            }
        }
    }

    private void end(SimAttempt attempt, TaskAttemptState state) {
        attempt.state = state;
        attempt.endedAt = now;
        attempt.finishTime = clock();
        if (attempt.node < 0) {
            containers.withdraw(attempt);
            tell(new SpeculatorEvent(attempt.task.id, -1));
            return;
        }
        containers.release(attempt.task.getType(), attempt.node);
        long ran = Math.max(0, now - attempt.startedAt);
        busy += ran;
        boolean winner = state == TaskAttemptState.SUCCEEDED;
        wasted += winner ? 0 : ran;
        runs.add(new Outcome.Run(
                attempt.task.id.toString(), attempt.node, attempt.startedAt, now, winner, attempt.original));
    }

    Random random(TaskAttemptId id) {
        long key = seed * 1_000_003 + (id.getTaskId().getTaskType() == TaskType.MAP ? 0 : 1);
        return new Random((key * 1_000_003 + id.getTaskId().getId()) * 31 + id.getId());
    }

    private static NodeId nodeId(int node) {
        return NodeId.newInstance("node" + node, 45454);
    }
}
