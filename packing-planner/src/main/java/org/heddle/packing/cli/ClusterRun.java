// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRConfig;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PlanKind;
import org.heddle.packing.model.Problem;
import org.heddle.packing.run.Cluster;
import org.heddle.packing.run.Execution;
import org.heddle.packing.run.RunOutcome;
import org.heddle.packing.run.YarnCluster;
import org.heddle.packing.solve.Planner;
import org.heddle.packing.solve.SolveContext;
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

    /** Runs a plan, or continues an earlier run with the same id. */
    RunOutcome execute(String id, Problem problem, Plan plan, boolean replan) throws IOException, InterruptedException {
        Configuration conf = new JobConf();
        String framework = conf.get(MRConfig.FRAMEWORK_NAME);
        if (!MRConfig.YARN_FRAMEWORK_NAME.equals(framework)) {
            throw new CommandException(
                    CommandException.WRONG,
                    "the Hadoop configuration does not name a cluster (" + MRConfig.FRAMEWORK_NAME + " is " + framework
                            + "): set HADOOP_CONF_DIR to the directory of its site files");
        }
        try (Cluster cluster = new YarnCluster(conf, directory)) {
            String disks = cluster.knowsResource(diskResource) ? diskResource : "";
            if (disks.isEmpty() && warn) {
                err.println("heddle pack: the cluster has no resource type \"" + diskResource + "\", so nodes may run"
                        + " more I/O intensive containers than they have disks");
                err.flush();
                warned = true;
            }
            Execution execution = new Execution(
                    cluster,
                    directory,
                    id,
                    disks,
                    Clocks.SYSTEM,
                    () -> Thread.sleep(POLL_MILLIS),
                    new RunProgress(out));
            Planner same = plan.kind() == PlanKind.PHASED ? new PhasedPlanner() : new NonPhasedPlanner();
            @Nullable
            Function<Problem, Plan> planner = replan ? p -> same.plan(p, SolveContext.quiet(PLAN_SECONDS)) : null;
            Thread shutdownNotice = new Thread(() -> printNotice(err), "heddle-pack-notice");
            Runtime.getRuntime().addShutdownHook(shutdownNotice);
            try {
                return execution.run(problem, plan, planner);
            } finally {
                forget(shutdownNotice);
            }
        }
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
