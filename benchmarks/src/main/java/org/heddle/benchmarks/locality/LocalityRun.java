// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.locality;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.heddle.benchmarks.rm.TaskList;
import org.heddle.whatif.driven.AllocationChecker;
import org.heddle.whatif.driven.DrivenNode;
import org.heddle.whatif.driven.SchedulerDriver;
import org.heddle.whatif.replay.Housekeeping;
import org.heddle.whatif.replay.ReplayManager;
import org.heddle.whatif.replay.VirtualClock;

/**
 * Jobs whose tasks read blocks, on a virtual clock, under the scheduler of a real ResourceManager. Each node sends a
 * heartbeat a second. Nothing runs for the masters, which therefore take no room.
 */
final class LocalityRun implements AutoCloseable {
    /**
     * The cluster and what all jobs have in common.
     *
     * @param hosts that have blocks; nodes are fewer, if a part of the hosts is not in the cluster
     * @param node its resources
     * @param replicas how many hosts have a block
     * @param remote how many times longer a task takes that does not run on a node with its block
     * @param stepMillis the step of the clock, a part of a second; masters call in each step, and the heartbeats of the
     *     nodes are spread over the steps of a second
     */
    record Cluster(int nodes, int hosts, Resource node, int replicas, int remote, long stepMillis) {}

    /**
     * A job.
     *
     * @param atMillis when it comes, after the beginning
     * @param task what each task needs
     * @param millis how long each task takes on a node with its block
     */
    record JobOf(String queue, String user, long atMillis, Resource task, long[] millis) {
        int tasks() {
            return millis.length;
        }
    }

    /**
     * What came of a job.
     *
     * @param local how many of its tasks ran where their block is
     * @param waitMillis from the first call of its master to each of its containers, in order
     * @param millis from its arrival to its end
     */
    record Outcome(JobOf job, int local, List<Long> waitMillis, long millis) {
        long endMillis() {
            return job.atMillis() + millis;
        }
    }

    private static final long SECOND = 1_000;
    /** FairScheduler's own interval. */
    private static final long HOUSEKEEPING = 500;

    private static final long BEGIN = 1_793_491_200_000L;

    private record Ends(long atMillis, long order, Container container, Master master) {}

    /** A master and its tasks. */
    private static final class Master {
        final ApplicationAttemptId attempt;
        final JobOf job;
        final TaskList tasks;
        final long submittedMillis;
        final List<Long> waits = new ArrayList<>();
        int waiting;
        int unfinished;
        int local;

        Master(ApplicationAttemptId attempt, JobOf job, TaskList tasks, long submittedMillis) {
            this.attempt = attempt;
            this.submittedMillis = submittedMillis;
            this.job = job;
            this.tasks = tasks;
            waiting = job.tasks();
            unfinished = job.tasks();
            tasks.add(job.tasks());
        }
    }

    private final ReplayManager manager = new ReplayManager();
    private final SchedulerDriver driver = new SchedulerDriver(manager);
    private final VirtualClock clock = new VirtualClock(BEGIN);
    private final Housekeeping housekeeping;
    private final AllocationChecker checker;
    private final List<DrivenNode> nodes = new ArrayList<>();
    private final Map<NodeId, DrivenNode> byId = new HashMap<>();
    private final PriorityQueue<Ends> ends = new PriorityQueue<>((one, other) -> one.atMillis() == other.atMillis()
            ? Long.compare(one.order(), other.order())
            : Long.compare(one.atMillis(), other.atMillis()));
    private final Map<ApplicationAttemptId, Master> active = new LinkedHashMap<>();
    private final List<Outcome> outcomes = new ArrayList<>();
    private final Cluster cluster;
    private final SplittableRandom random;
    private long order;
    private int applications;

    LocalityRun(Configuration conf, Cluster cluster, long seed) {
        this.cluster = cluster;
        this.checker = new AllocationChecker(node -> cluster.node(), false);
        this.random = new SplittableRandom(seed);
        DefaultMetricsSystem.setMiniClusterMode(true);
        QueueMetrics.clearQueueMetrics();
        ResourceUtils.resetResourceTypes(conf);
        manager.init(conf);
        driver.scheduler().setClock(clock);
        manager.start();
        housekeeping = Housekeeping.of(manager, clock);
        for (int i = 0; i < cluster.nodes(); i++) {
            DrivenNode node = new DrivenNode(driver.context(), i, cluster.node());
            nodes.add(node);
            byId.put(node.getNodeID(), node);
            driver.add(node);
        }
        manager.drain();
    }

    /** Runs all jobs to their ends. */
    List<Outcome> run(List<JobOf> jobs) {
        int next = 0;
        while (next < jobs.size() || !active.isEmpty()) {
            long now = clock.getTime() - BEGIN;
            while (next < jobs.size() && jobs.get(next).atMillis() <= now) {
                submit(jobs.get(next++), now);
            }
            while (!ends.isEmpty() && ends.element().atMillis() <= now) {
                end(ends.remove(), now);
            }
            if (now % HOUSEKEEPING == 0) {
                housekeeping.tick(clock.getTime());
                manager.drain();
            }
            for (Master master : active.values()) {
                call(master, now);
            }
            heartbeats(now);
            clock.set(clock.getTime() + cluster.stepMillis());
        }
        return outcomes;
    }

    /** Those of the nodes whose turn it is in this step. */
    private void heartbeats(long now) {
        int steps = (int) (SECOND / cluster.stepMillis());
        for (int i = (int) (now / cluster.stepMillis() % steps); i < nodes.size(); i += steps) {
            DrivenNode node = nodes.get(i);
            node.report();
            driver.scheduler().handle(new NodeUpdateSchedulerEvent(node));
            manager.drain();
        }
    }

    private void submit(JobOf job, long now) {
        ApplicationAttemptId attempt =
                ApplicationAttemptId.newInstance(ApplicationId.newInstance(BEGIN, ++applications), 1);
        driver.start(attempt, job.user(), job.queue());
        manager.drain();
        TaskList tasks = new TaskList(cluster.hosts(), cluster.replicas(), random.split());
        active.put(attempt, new Master(attempt, job, tasks, now));
    }

    private void call(Master master, long now) {
        for (Container container : driver.allocate(master.attempt, master.tasks.changed(master.job.task()))) {
            if (master.waiting == 0) {
                driver.release(master.attempt, container.getId()); // more than was asked for
                continue;
            }
            long millis = master.job.millis()[master.job.tasks() - master.waiting--];
            master.waits.add(now - master.submittedMillis);
            checker.given(container);
            Objects.requireNonNull(byId.get(container.getNodeId())).start(container);
            boolean local = master.tasks.given(container.getNodeId().getHost());
            master.local += local ? 1 : 0;
            ends.add(new Ends(now + millis * (local ? 1 : cluster.remote()), order++, container, master));
        }
        manager.drain();
    }

    private void end(Ends task, long now) {
        checker.ended(task.container());
        Objects.requireNonNull(byId.get(task.container().getNodeId()))
                .end(task.container().getId());
        Master master = task.master();
        if (--master.unfinished == 0) {
            active.remove(master.attempt);
            outcomes.add(new Outcome(master.job, master.local, master.waits, now - master.job.atMillis()));
            driver.end(master.attempt, RMAppAttemptState.FINISHED);
            driver.remove(master.attempt.getApplicationId());
            manager.drain();
        }
    }

    @Override
    public void close() {
        manager.stop();
        QueueMetrics.clearQueueMetrics();
    }
}
