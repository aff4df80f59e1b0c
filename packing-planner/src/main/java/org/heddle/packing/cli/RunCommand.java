// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.heddle.packing.check.PlanChecker;
import org.heddle.packing.check.Verdict;
import org.heddle.packing.io.PlanFile;
import org.heddle.packing.io.ProblemFile;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PlanKind;
import org.heddle.packing.model.Problem;
import org.heddle.packing.run.Cluster;
import org.heddle.packing.run.Feedback;
import org.heddle.packing.run.JobStatus;
import org.heddle.packing.run.Outcome;
import org.heddle.packing.run.PlanRunner;
import org.heddle.packing.run.YarnCluster;
import org.heddle.packing.see.Actual;
import org.heddle.packing.solve.PhasedPlanner;
import org.heddle.packing.solve.SolveContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code heddle-pack run}. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description = "Executes a phased plan on the YARN cluster of the Hadoop configuration. Started again with the"
                + " same plan it continues where it was.")
final class RunCommand implements Callable<Integer> {
    private static final long LOOK_MILLIS = 1_000;
    private static final int MOST_REPLANS = 3;

    @Spec
    @SuppressWarnings("NullAway.Init") // injected
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init") // injected
    private DrawingOptions drawing;

    @Option(
            names = "--run-id",
            paramLabel = "NAME",
            description = "Name of this execution (default: made from the plan). A new name runs everything again.")
    private @Nullable String runId;

    @Option(
            names = "--state",
            defaultValue = "heddle-pack-runs",
            paramLabel = "DIR",
            description = "Where journal and program output go (${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // injected
    private Path state;

    @Option(
            names = "--disk-resource",
            defaultValue = "disk",
            paramLabel = "NAME",
            description = "YARN resource type that counts disks (${DEFAULT-VALUE}); not used if the cluster has none.")
    @SuppressWarnings("NullAway.Init") // injected
    private String diskResource;

    @Option(names = "--replan", description = "If a job fails, plan it and the jobs not yet started anew and go on.")
    private boolean replan;

    @Option(
            names = "--feedback",
            paramLabel = "FILE",
            description = "Write the problem with models corrected by what was measured.")
    private @Nullable Path feedback;

    @Parameters(paramLabel = "PLAN", description = "A plan file, as written by plan -o.")
    @SuppressWarnings("NullAway.Init") // injected
    private Path file;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        PlanFile.Loaded loaded = InputOption.plan(file, err);
        Problem problem = loaded.problem();
        Plan plan = loaded.plan();
        refuseUnfit(problem, plan);
        String id = runId != null ? runId : "pack-" + digest(problem, plan);
        if (!id.matches("[A-Za-z0-9_.-]{1,60}")) {
            throw new CommandException(2, "--run-id " + id + ": must be 1 to 60 letters, digits, dots, - or _");
        }
        Path directory = state.resolve(id);
        Files.createDirectories(directory);
        try (Cluster cluster = new YarnCluster(new Configuration(), directory.toAbsolutePath())) {
            String disks = cluster.knowsResource(diskResource) ? diskResource : "";
            if (disks.isEmpty()) {
                err.println("heddle-pack: the cluster has no resource type \"" + diskResource + "\", so nodes may run"
                        + " more I/O intensive containers than they have disks");
                err.flush();
            }
            Outcome outcome = execute(cluster, problem, plan, id, disks, directory, out);
            for (int again = 1; replan && !outcome.succeeded() && again <= MOST_REPLANS; again++) {
                Problem left = problem.withJobs(unfinished(problem, outcome));
                plan = new PhasedPlanner().plan(left, SolveContext.quiet(10));
                problem = left;
                out.println("planning anew for " + left.jobs().size() + " jobs: " + plan.makespan() + " s");
                outcome = execute(cluster, problem, plan, id + ".r" + again, disks, directory, out);
            }
            report(outcome, problem, plan, out);
            if (feedback != null) {
                Output.write(
                        feedback,
                        ProblemFile.write(Feedback.apply(problem, outcome)).toPrettyString());
            }
            return outcome.succeeded() ? 0 : 1;
        }
    }

    private void refuseUnfit(Problem problem, Plan plan) {
        if (plan.kind() != PlanKind.PHASED) {
            throw new CommandException(
                    2,
                    file + ": is a " + plan.kind().key() + " plan; run executes phased ones (plan --planner phased)");
        }
        Verdict verdict = PlanChecker.check(problem, plan);
        if (!verdict.accepted()) {
            throw new CommandException(
                    1, file + ": the plan is refused: " + verdict.violations().get(0));
        }
        for (Job job : problem.jobs()) {
            if (job.command() == null) {
                throw new CommandException(2, file + ": job " + job.name() + " has no run section (jar, main, args)");
            }
        }
    }

    private static String digest(Problem problem, Plan plan) {
        try {
            JsonNode node = PlanFile.write(problem, plan.because(List.of()), 0);
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(node.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static List<Job> unfinished(Problem problem, Outcome outcome) {
        Set<String> done = new HashSet<>();
        for (Outcome.JobOutcome job : outcome.jobs()) {
            if (job.status().state() == JobStatus.State.SUCCEEDED) {
                done.add(job.job());
            }
        }
        return problem.jobs().stream().filter(j -> !done.contains(j.name())).toList();
    }

    private static Outcome execute(
            Cluster cluster, Problem problem, Plan plan, String id, String disks, Path directory, PrintWriter out)
            throws IOException, InterruptedException {
        PlanRunner.Listener listener = new PlanRunner.Listener() {
            private String last = "";

            @Override
            public void looked(int phase, int phases, Map<String, JobStatus> running) {
                List<String> parts = new ArrayList<>();
                running.forEach((job, status) -> parts.add(String.format(
                        Locale.ROOT, "%s %d containers %.0f %%", job, status.containers(), 100 * status.progress())));
                String line = "phase " + phase + " of " + phases + ": " + String.join(", ", parts);
                if (!parts.isEmpty() && !line.equals(last)) {
                    out.println(line);
                    out.flush();
                    last = line;
                }
            }

            @Override
            public void ended(String job, JobStatus status) {
                out.println(
                        status.state() == JobStatus.State.SUCCEEDED
                                ? job + " done (" + status.application() + ")"
                                : job + " FAILED (" + status.application() + "): " + status.trouble());
                out.flush();
            }
        };
        return new PlanRunner(
                        cluster,
                        problem,
                        plan,
                        id,
                        disks,
                        directory.resolve("journal.jsonl"),
                        System::currentTimeMillis,
                        () -> Thread.sleep(LOOK_MILLIS),
                        listener)
                .run();
    }

    private void report(Outcome outcome, Problem problem, Plan plan, PrintWriter out) {
        out.println();
        out.println(String.format(
                Locale.ROOT,
                "%-24s %5s %6s %12s %12s %9s %10s",
                "job",
                "phase",
                "VMs",
                "predicted s",
                "actual s",
                "error",
                "containers"));
        for (Outcome.JobOutcome job : outcome.jobs()) {
            out.println(String.format(
                    Locale.ROOT,
                    "%-24s %5d %6d %12.2f %12.2f %+8.1f%% %10d%s",
                    job.job(),
                    job.phase(),
                    job.vms(),
                    job.predicted(),
                    job.actual(),
                    100 * (job.actual() / job.predicted() - 1),
                    job.mostContainers(),
                    job.status().state() == JobStatus.State.SUCCEEDED ? "" : "  FAILED"));
        }
        for (Outcome.PhaseOutcome phase : outcome.phases()) {
            out.println(String.format(
                    Locale.ROOT,
                    "phase %d: predicted %.2f s, actual %.2f s (%+.1f %%), %.2f s until YARN knew its jobs",
                    phase.number(),
                    phase.predicted(),
                    phase.actual(),
                    100 * (phase.actual() / phase.predicted() - 1),
                    phase.overhead()));
        }
        out.println(String.format(
                Locale.ROOT,
                "all: predicted %.2f s, actual %.2f s (%+.1f %%), %.0f %% of the slots in use",
                outcome.predicted(),
                outcome.actual(),
                100 * (outcome.actual() / outcome.predicted() - 1),
                100 * outcome.utilisation()));
        long first = outcome.jobs().stream()
                .mapToLong(Outcome.JobOutcome::launched)
                .min()
                .orElse(0);
        List<Actual> actuals = outcome.jobs().stream()
                .map(j -> new Actual(j.job(), (j.launched() - first) / 1000.0, j.actual()))
                .toList();
        drawing.draw(problem, plan, actuals);
        out.flush();
    }
}
