// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.heddle.packing.fit.JobHistories;
import org.heddle.packing.fit.JobNames;
import org.heddle.packing.fit.JobRun;
import org.heddle.packing.fit.Measurement;
import org.heddle.packing.fit.ModelFit;
import org.heddle.packing.fit.NextRun;
import org.heddle.packing.io.ProblemFile;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Phase;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PlanKind;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;
import org.heddle.packing.run.JobStatus;
import org.heddle.packing.run.RunOutcome;
import org.heddle.settings.command.CommandException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code heddle pack profile}. */
@Command(
        name = "profile",
        description = "Runs the jobs of a problem one by one at several n on the cluster, fits their models and names"
                + " the next n that is worth a run. With --pairs it also runs jobs side by side and measures alpha. The"
                + " models in the file may be guesses. A second call continues.")
final class ProfileCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // injected
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init") // injected
    private ClusterOptions cluster;

    @Mixin
    @SuppressWarnings("NullAway.Init") // injected
    private FitOptions fitting;

    @Option(names = "--job", paramLabel = "NAME", description = "Only this job. May be repeated.")
    private List<String> only = new ArrayList<>();

    @Option(
            names = "--at",
            split = ",",
            paramLabel = "N",
            description = "Run at these n, e.g. 1,2,4,8. Default: at N and its square root, then at each"
                    + " n that is worth a run.")
    private List<Integer> at = new ArrayList<>();

    @Option(
            names = "--runs",
            defaultValue = "4",
            paramLabel = "COUNT",
            description = "Without --at: at most this many runs per job. Default: ${DEFAULT-VALUE}.")
    private int most;

    @Option(
            names = "--pairs",
            description =
                    "Then run each I/O intensive job with each CPU intensive one beside it, and write the alpha of"
                            + " each pair.")
    private boolean pairs;

    @Option(
            names = "--pair-runs",
            defaultValue = "1",
            paramLabel = "COUNT",
            description =
                    "Run each pair this many times. Default: ${DEFAULT-VALUE}; from 2 on there is" + " an interval.")
    private int pairRuns;

    @Option(
            names = "--profile-id",
            defaultValue = "profile",
            paramLabel = "NAME",
            description = "Name of this profile. Default: ${DEFAULT-VALUE}. A new name runs everything" + " again.")
    @SuppressWarnings("NullAway.Init") // injected
    private String id;

    @Mixin
    @SuppressWarnings("NullAway.Init") // injected
    private Output output;

    @Option(names = "--points", paramLabel = "FILE", description = "Write the runs as lines of job,n,seconds.")
    private @Nullable Path points;

    @Mixin
    @SuppressWarnings("NullAway.Init") // injected
    private ProblemInput input;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        Problem problem = input.read(spec.commandLine().getErr());
        refuseWrong(problem);
        List<Job> jobs = new ArrayList<>();
        List<String> unknown = new ArrayList<>(problem.unknown());
        StringBuilder lines = new StringBuilder("job,n,seconds\n");
        for (int j = 0; j < problem.jobs().size(); j++) {
            Job job = problem.jobs().get(j);
            if (!only.isEmpty() && !only.contains(job.name())) {
                jobs.add(job);
                continue;
            }
            FitOptions.Evidence evidence = measure(problem, job, j);
            for (Measurement run : evidence.runs) {
                lines.append(String.format(Locale.ROOT, "%s,%d,%.3f%n", job.name(), run.vms(), run.seconds()));
            }
            FitOptions.Fitted fitted = fitting.fit(job.name(), evidence, problem.slots(), job, out);
            tellNext(NextRun.after(evidence.runs, fitted.job().model(), problem.slots()), out);
            jobs.add(fitted.job());
            unknown.removeIf(sentence -> sentence.startsWith(job.name() + ": "));
            unknown.addAll(fitted.unknown());
        }
        if (points != null) {
            Output.write(points, lines.toString());
        }
        Problem profiled = problem.withJobs(jobs).withUnknown(unknown);
        if (pairs) {
            profiled = new PairRuns((runId, pair, plan) -> execute(pair, plan, runId), out)
                    .measure(profiled, Set.copyOf(only), id, pairRuns);
        }
        output.write(ProblemFile.write(profiled).toPrettyString());
        out.flush();
        return 0;
    }

    private void refuseWrong(Problem problem) {
        ClusterOptions.requireRunId(id);
        Set<String> names = new TreeSet<>();
        for (Job job : problem.jobs()) {
            names.add(job.name());
            if (job.command() == null && (only.isEmpty() || only.contains(job.name()))) {
                throw new CommandException(
                        CommandException.WRONG,
                        input.file() + ": job " + job.name() + " has no run section (jar, main, args)");
            }
        }
        for (String name : only) {
            if (!names.contains(name)) {
                throw new CommandException(
                        CommandException.WRONG,
                        "--job " + name + ": is not in the problem; it has " + String.join(", ", names));
            }
        }
        for (int n : at) {
            if (n < 1 || n > problem.slots()) {
                throw new CommandException(
                        CommandException.WRONG, "--at " + n + ": must be from 1 to N = P k = " + problem.slots());
            }
        }
        Numbers.requirePositive("--runs", most);
        Numbers.requirePositive("--pair-runs", pairRuns);
    }

    private FitOptions.Evidence measure(Problem problem, Job job, int index) throws IOException, InterruptedException {
        FitOptions.Evidence evidence = new FitOptions.Evidence();
        List<Integer> plan = new ArrayList<>(at);
        if (at.isEmpty()) {
            int slots = problem.slots();
            plan.add(slots);
            int middle = (int) Math.round(Math.sqrt(slots));
            if (middle < slots && most > 1) {
                plan.add(middle);
            }
        }
        for (int i = 0; i < plan.size(); i++) {
            run(problem, job, plan.get(i), id + "-" + index + "-" + i, evidence);
            boolean last = i + 1 == plan.size();
            if (last && at.isEmpty() && plan.size() < most) {
                NextRun next = NextRun.after(
                        evidence.runs,
                        ModelFit.fit(evidence.runs, 0, null).get(0).model(),
                        problem.slots());
                if (next != null && next.isWorthIt()) {
                    plan.add(next.vms());
                }
            }
        }
        return evidence;
    }

    private void run(Problem problem, Job job, int n, String runId, FitOptions.Evidence evidence)
            throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        Assignment assignment =
                new Assignment(job.name(), Role.NORMAL, n, 0, job.model().seconds(n), 1, List.of());
        Plan alone = new Plan(
                problem.id(),
                "profile",
                PlanKind.PHASED,
                assignment.seconds(),
                0,
                "none",
                List.of(new Phase(0, assignment.seconds(), List.of(assignment))),
                List.of());
        RunOutcome.JobOutcome outcome =
                execute(problem.withJobs(List.of(job)), alone, runId).jobs().get(0);
        JobStatus status = outcome.status();
        if (status.state() != JobStatus.State.SUCCEEDED) {
            throw new CommandException(
                    CommandException.FAILED, "job " + job.name() + " failed at n = " + n + ": " + status.trouble());
        }
        out.println(String.format(Locale.ROOT, "%s at n = %d: %.2f s", job.name(), n, outcome.actual()));
        out.flush();
        evidence.runs.add(new Measurement(n, outcome.actual(), status.application()));
        JobHistories.ofTheCluster(JobNames.usual())
                .ofApplication(status.application())
                .filter(JobRun::succeeded)
                .ifPresent(evidence.histories::add);
    }

    private RunOutcome execute(Problem jobs, Plan plan, String runId) throws IOException, InterruptedException {
        return cluster.execute(
                runId,
                jobs,
                plan,
                false,
                spec.commandLine().getOut(),
                spec.commandLine().getErr());
    }

    private static void tellNext(@Nullable NextRun next, PrintWriter out) {
        if (next == null) {
            return;
        }
        if (next.isWorthIt()) {
            out.println(String.format(
                    Locale.ROOT,
                    "  next worth a run: n = %d, about %.0f s; the mean 90 %% band would go from +-%.1f %% to +-%.1f"
                            + " %%",
                    next.vms(),
                    next.seconds(),
                    100 * next.bandNow(),
                    100 * next.bandThen()));
        } else {
            out.println(String.format(
                    Locale.ROOT,
                    "  no further run is worth it: the mean 90 %% band is +-%.1f %%",
                    100 * next.bandNow()));
        }
    }
}
