// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

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
import org.heddle.whatif.driven.AllocationChecker;
import org.heddle.whatif.driven.DrivenNode;
import org.heddle.whatif.driven.SchedulerDriver;
import org.heddle.whatif.replay.Housekeeping;
import org.heddle.whatif.replay.ReplayManager;
import org.heddle.whatif.replay.VirtualClock;

/**
 * Jobs whose tasks read blocks with three replicas, on a virtual clock: nodes of four slots send a heartbeat each second,
 * masters call once a second, and each job is of a user of its own. A task that does not run on a node with its block takes twice as long.
 */
final class LocalityRun implements AutoCloseable {
    /** A part of the nodes has the blocks of all, if some nodes are not in the cluster. */
    record Cluster(int nodes, int hosts) {}

    /**
     * A job.
     *
     * @param atMillis when it comes, after the beginning
     */
    record JobOf(String queue, long atMillis, int tasks) {}

    /**
     * What came of a job.
     *
     * @param local how many of its tasks ran where their block is
     * @param millis from its arrival to its end
     */
    record Outcome(JobOf job, int local, long millis) {}

    private static final Resource TASK = Resource.newInstance(1_024, 1);
    private static final Resource NODE = Resource.newInstance(4_096, 4);
    private static final long STEP = 1_000;
    private static final long BEGIN = 1_793_491_200_000L;
    /** How much longer a task takes that reads over the network. */
    private static final int REMOTE = 2;

    private record Ends(long atMillis, long order, Container container, Master master) {}

    /** A master and its tasks. */
    private static final class Master {
        final ApplicationAttemptId attempt;
        final JobOf job;
        final TaskList tasks;
        int waiting;
        int unfinished;
        int local;

        Master(ApplicationAttemptId attempt, JobOf job, TaskList tasks) {
            this.attempt = attempt;
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
    private final AllocationChecker checker = new AllocationChecker(node -> NODE, false);
    private final List<DrivenNode> nodes = new ArrayList<>();
    private final Map<NodeId, DrivenNode> byId = new HashMap<>();
    private final PriorityQueue<Ends> ends = new PriorityQueue<>((one, other) -> one.atMillis() == other.atMillis()
            ? Long.compare(one.order(), other.order())
            : Long.compare(one.atMillis(), other.atMillis()));
    private final Map<ApplicationAttemptId, Master> active = new LinkedHashMap<>();
    private final List<Outcome> outcomes = new ArrayList<>();
    private final Cluster cluster;
    private final long taskMillis;
    private final SplittableRandom random;
    private long order;
    private int applications;

    /** @param taskMillis how long a task takes whose block is on its node */
    LocalityRun(Configuration conf, Cluster cluster, long taskMillis, long seed) {
        this.cluster = cluster;
        this.taskMillis = taskMillis;
        this.random = new SplittableRandom(seed);
        DefaultMetricsSystem.setMiniClusterMode(true);
        QueueMetrics.clearQueueMetrics();
        ResourceUtils.resetResourceTypes(conf);
        manager.init(conf);
        driver.scheduler().setClock(clock);
        manager.start();
        housekeeping = Housekeeping.of(manager, clock);
        for (int i = 0; i < cluster.nodes(); i++) {
            DrivenNode node = new DrivenNode(driver.context(), i, NODE);
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
                submit(jobs.get(next++));
            }
            while (!ends.isEmpty() && ends.element().atMillis() <= now) {
                end(ends.remove(), now);
            }
            housekeeping.tick(clock.getTime());
            manager.drain();
            for (Master master : active.values()) {
                heartbeat(master, now);
            }
            for (DrivenNode node : nodes) {
                node.report();
                driver.scheduler().handle(new NodeUpdateSchedulerEvent(node));
                manager.drain();
            }
            clock.set(clock.getTime() + STEP);
        }
        return outcomes;
    }

    private void submit(JobOf job) {
        ApplicationAttemptId attempt =
                ApplicationAttemptId.newInstance(ApplicationId.newInstance(BEGIN, ++applications), 1);
        driver.start(attempt, "user" + applications, job.queue());
        manager.drain();
        active.put(attempt, new Master(attempt, job, new TaskList(cluster.hosts(), random.split())));
    }

    private void heartbeat(Master master, long now) {
        for (Container container : driver.allocate(master.attempt, master.tasks.changed(TASK))) {
            if (master.waiting == 0) {
                driver.release(master.attempt, container.getId()); // more than was asked for
                continue;
            }
            master.waiting--;
            checker.given(container);
            Objects.requireNonNull(byId.get(container.getNodeId())).start(container);
            boolean local = master.tasks.given(container.getNodeId().getHost());
            master.local += local ? 1 : 0;
            ends.add(new Ends(now + taskMillis * (local ? 1 : REMOTE), order++, container, master));
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
            outcomes.add(new Outcome(master.job, master.local, now - master.job.atMillis()));
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
