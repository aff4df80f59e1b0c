// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import org.heddle.packing.chart.Chart;
import org.heddle.packing.check.AtOnce;
import org.heddle.packing.io.PlanFile;
import org.heddle.packing.io.ProblemFile;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PlanKind;
import org.heddle.packing.model.Problem;
import org.heddle.packing.run.Feedback;
import org.heddle.packing.run.RunOutcome;
import org.heddle.settings.command.CommandException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code heddle pack run}. */
@Command(
        name = "run",
        description =
                "Executes a plan on the YARN cluster of the Hadoop configuration, or all its jobs at once. A second call"
                        + " with the same plan continues the run.")
final class RunCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // injected
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init") // injected
    private DrawingOptions drawing;

    @Option(
            names = "--run-id",
            paramLabel = "NAME",
            description = "Name of this execution. Default: made from the plan. A new name runs" + " everything again.")
    private @Nullable String runId;

    @Mixin
    @SuppressWarnings("NullAway.Init") // injected
    private ClusterOptions cluster;

    @Option(
            names = "--at-once",
            description = "Submit all jobs of the plan at once, with reduces after all maps; the scheduler divides the"
                    + " cluster. plan says when that is sooner.")
    private boolean atOnce;

    @Option(
            names = "--queue",
            paramLabel = "PATH",
            description = "Give each job a queue below this one, whose weight changes at the plan's borders over the"
                    + " ResourceManager's REST, and no limit: a job takes what others leave. Malleable plans need it.")
    private @Nullable String queue;

    @Option(
            names = "--clean",
            description = "Run nothing; remove the queues that a run of this plan, which nobody continues, left below"
                    + " --queue.")
    private boolean clean;

    @Option(
            names = "--replan",
            description =
                    "If a job fails, make a new plan for the remaining jobs and continue; a job that fails twice is"
                            + " left out.")
    private boolean replan;

    @Option(names = "--report", paramLabel = "FILE", description = "Write predicted and actual times as JSON.")
    private @Nullable Path report;

    @Option(
            names = "--feedback",
            paramLabel = "FILE",
            description = "Write the problem with models corrected by the measured times.")
    private @Nullable Path feedback;

    @Mixin
    @SuppressWarnings("NullAway.Init") // injected
    private PlanInput input;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        PlanFile.Loaded loaded = input.readAccepted(err);
        Problem problem = loaded.problem();
        refuseUnfit(problem, loaded.plan());
        Plan plan = atOnce ? AtOnce.plan(problem) : loaded.plan();
        String id = runId != null ? runId : "pack-" + digest(problem, plan);
        ClusterOptions.requireRunId(id);
        if (clean && queue != null) {
            cluster.run(id, out, err).clean(id, problem, queue);
            return 0;
        }
        out.print(Chart.unknown(problem));
        out.flush();
        RunOutcome outcome;
        if (queue == null) {
            outcome = cluster.execute(id, problem, plan, replan, out, err);
        } else {
            outcome = cluster.run(id, out, err).execute(id, problem, plan, replan, queue);
        }
        RunReport.print(outcome, out);
        drawing.draw(problem, loaded.plan(), RunReport.actuals(outcome));
        if (report != null) {
            Output.write(report, RunReport.json(outcome).toPrettyString());
        }
        if (feedback != null) {
            Output.write(
                    feedback,
                    ProblemFile.write(Feedback.apply(problem, outcome)).toPrettyString());
        }
        return outcome.succeeded(problem) ? 0 : 1;
    }

    private void refuseUnfit(Problem problem, Plan plan) {
        if (plan.kind() == PlanKind.MALLEABLE && !atOnce && queue == null) {
            throw new CommandException(
                    CommandException.WRONG,
                    input.file() + ": is a malleable plan; its jobs need queues whose weights change, so give the queue"
                            + " above them, such as --queue root.batch, or --at-once");
        }
        if (clean && queue == null) {
            throw new CommandException(
                    CommandException.WRONG, "--clean: removes queues below another; give that with --queue");
        }
        if (queue != null && atOnce) {
            throw new CommandException(
                    CommandException.WRONG,
                    "--queue " + queue + ": is for plans; jobs at once run in the queues that their conf names"
                            + " (mapreduce.job.queuename)");
        }
        if (queue != null && !queue.matches("root(\\.[A-Za-z0-9_-]+)+")) {
            throw new CommandException(
                    CommandException.WRONG, "--queue " + queue + ": must be a path from root on, such as root.batch");
        }
        if ((atOnce || queue != null) && feedback != null) {
            throw new CommandException(
                    CommandException.WRONG,
                    "--feedback: the times of jobs that shared the cluster correct no model; run a phased or nonphased"
                            + " plan without --at-once and --queue");
        }
        for (Job job : problem.jobs()) {
            if (job.command() == null) {
                throw new CommandException(
                        CommandException.WRONG,
                        input.file() + ": job " + job.name() + " has no run section (jar, main, args)");
            }
        }
    }

    private static String digest(Problem problem, Plan plan) {
        try {
            JsonNode node = PlanFile.write(problem, plan.withExplanations(List.of()), 0);
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(node.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
