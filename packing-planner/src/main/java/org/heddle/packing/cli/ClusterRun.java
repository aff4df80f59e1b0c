// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRConfig;
import org.heddle.packing.check.AtOnce;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PlanKind;
import org.heddle.packing.model.Problem;
import org.heddle.packing.run.Cluster;
import org.heddle.packing.run.Execution;
import org.heddle.packing.run.JobQueues;
import org.heddle.packing.run.RunOutcome;
import org.heddle.packing.run.SchedulerQueues;
import org.heddle.packing.run.YarnCluster;
import org.heddle.packing.solve.Planner;
import org.heddle.packing.solve.SolveContext;
import org.heddle.packing.solve.malleable.MalleablePlanner;
import org.heddle.packing.solve.phased.PhasedPlanner;
import org.heddle.packing.solve.timed.NonPhasedPlanner;
import org.heddle.settings.Clocks;
import org.heddle.settings.command.CommandException;
import org.jspecify.annotations.Nullable;

/** Executes a plan on the cluster of the Hadoop configuration. This class needs Hadoop on the class path. */
final class ClusterRun {
    private static final long POLL_MILLIS = 500;
    private static final double PLAN_SECONDS = 10;

    private final Path directory;
    private final String diskResource;
    private final boolean warn;
    private final PrintWriter out;
    private final PrintWriter err;
    private boolean warned;

    /** @param warn whether to warn if the cluster does not count disks */
    ClusterRun(Path directory, String diskResource, boolean warn, PrintWriter out, PrintWriter err) {
        this.directory = directory;
        this.diskResource = diskResource;
        this.warn = warn;
        this.out = out;
        this.err = err;
    }

    /** Whether the warning was printed. */
    boolean warned() {
        return warned;
    }

    /**
     * Runs a plan in queues below a parent, or continues that; where queues cannot be changed over the network, all its
     * jobs at once.
     */
    RunOutcome execute(String id, Problem problem, Plan plan, boolean replan, String parent)
            throws IOException, InterruptedException {
        SchedulerQueues queues = SchedulerQueues.of(cluster(), parent);
        String why = queues.whyNot();
        if (why == null) {
            return execute(id, problem, plan, replan, queues);
        }
        err.println(
                "heddle pack: all jobs run at once in the queues that they name, because the weights of queues cannot"
                        + " be changed over the network: " + why);
        err.println("heddle pack: weights of these queues by work bring that close to the plan: " + byWork(problem));
        err.flush();
        return execute(id, problem, AtOnce.plan(problem), replan);
    }

    private static String byWork(Problem problem) {
        double least = problem.jobs().stream()
                .mapToDouble(job -> job.model().seconds(1))
                .min()
                .orElse(1);
        return problem.jobs().stream()
                .map(job -> String.format(
                        Locale.ROOT, "%s %.1f", job.name(), job.model().seconds(1) / least))
                .collect(Collectors.joining(", "));
    }

    /** Removes the queues of a run that nobody continues. */
    void clean(String id, Problem problem, String parent) throws IOException {
        Configuration conf = cluster();
        try (Cluster cluster = new YarnCluster(conf, directory)) {
            execution(cluster, id, "").clean(problem, SchedulerQueues.of(conf, parent));
        }
    }

    /** Runs a plan, or continues an earlier run with the same id. */
    RunOutcome execute(String id, Problem problem, Plan plan, boolean replan) throws IOException, InterruptedException {
        return execute(id, problem, plan, replan, (JobQueues) null);
    }

    private static Configuration cluster() {
        Configuration conf = new JobConf();
        String framework = conf.get(MRConfig.FRAMEWORK_NAME);
        if (!MRConfig.YARN_FRAMEWORK_NAME.equals(framework)) {
            throw new CommandException(
                    CommandException.WRONG,
                    "the Hadoop configuration does not name a cluster (" + MRConfig.FRAMEWORK_NAME + " is " + framework
                            + "): set HADOOP_CONF_DIR to the directory of its site files");
        }
        return conf;
    }

    private RunOutcome execute(String id, Problem problem, Plan plan, boolean replan, @Nullable JobQueues queues)
            throws IOException, InterruptedException {
        try (Cluster cluster = new YarnCluster(cluster(), directory)) {
            String disks = cluster.knowsResource(diskResource) ? diskResource : "";
            if (disks.isEmpty() && warn) {
                err.println("heddle pack: the cluster has no resource type \"" + diskResource + "\", so nodes may run"
                        + " more I/O intensive containers than they have disks");
                err.flush();
                warned = true;
            }
            Execution execution = execution(cluster, id, disks);
            Planner same = same(plan.kind());
            @Nullable
            Function<Problem, Plan> planner = replan ? p -> same.plan(p, SolveContext.quiet(PLAN_SECONDS)) : null;
            Thread shutdownNotice = new Thread(() -> printNotice(err), "heddle-pack-notice");
            Runtime.getRuntime().addShutdownHook(shutdownNotice);
            try {
                return execution.run(problem, plan, planner, queues);
            } finally {
                forget(shutdownNotice);
            }
        }
    }

    private Execution execution(Cluster cluster, String id, String disks) {
        return new Execution(
                cluster, directory, id, disks, Clocks.SYSTEM, () -> Thread.sleep(POLL_MILLIS), new RunProgress(out));
    }

    private static Planner same(PlanKind kind) {
        return switch (kind) {
            case PHASED -> new PhasedPlanner();
            case NONPHASED -> new NonPhasedPlanner();
            case MALLEABLE -> new MalleablePlanner();
        };
    }

    private static void printNotice(PrintWriter err) {
        err.println("heddle pack: stopped; submitted jobs continue on the cluster, and the same command continues"
                + " the run");
        err.flush();
    }

    private static void forget(Thread shutdownNotice) {
        try {
            Runtime.getRuntime().removeShutdownHook(shutdownNotice);
        } catch (IllegalStateException e) {
            return; // the JVM ends already, and the notice is printed
        }
    }
}
