// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.heddle.packing.chart.Chart;
import org.heddle.packing.io.PlanFile;
import org.heddle.packing.model.Explanation;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.SolveContext;
import org.heddle.packing.solve.phased.Explainer;
import org.heddle.packing.solve.phased.SequentialPlanner;
import org.heddle.settings.command.CommandException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code heddle pack explain}. */
@Command(
        name = "explain",
        description = "Explains for each job why it runs in its phase and role, and what the best other choice costs.")
final class ExplainCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // injected
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init") // injected
    private SolveOptions options;

    @Option(names = "--job", paramLabel = "NAME", description = "Explain this job only; may be repeated.")
    private List<String> only = new ArrayList<>();

    @Parameters(
            paramLabel = "FILE",
            description =
                    "A problem, which is planned first, or a plan file as written by plan -o; - is standard input.")
    @SuppressWarnings("NullAway.Init") // injected
    private Path file;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        PlanFile.PlanOrProblem input = PlanFile.readPlanOrProblem(file, System.in);
        ProblemInput.warn(file, input.warnings(), err);
        Problem problem = input.problem();
        requireKnown(problem);
        Plan known = input.plan();
        if (known != null) {
            PlanInput.requireAccepted(file, problem, known);
        }
        Plan found = known != null ? known : options.solve(problem, err).plan();
        int wanted = only.isEmpty() ? problem.jobs().size() : only.size();
        Progress progress = new Progress(wanted, options.isQuiet() ? null : err);
        Plan plan = Explainer.explain(
                problem, found, Interrupt::asked, job -> (only.isEmpty() || only.contains(job)) && progress.next());
        double sequential =
                new SequentialPlanner().plan(problem, SolveContext.quiet(1)).makespan();
        out.println(String.format(
                Locale.ROOT,
                "%s plans %.6g s in %d phases; one job after the other takes %.6g s, so it saves %.1f %%.",
                plan.planner(),
                plan.makespan(),
                plan.phases().size(),
                sequential,
                100 * (1 - plan.makespan() / sequential)));
        out.println(String.format(
                Locale.ROOT,
                "No plan of this kind can end before %.6g s (%s): this one is %s.",
                plan.lowerBound(),
                plan.bound(),
                Chart.quality(problem, plan)));
        out.print(Chart.unknown(problem));
        for (Explanation explanation : plan.explanations()) {
            out.println("- " + explanation.text());
        }
        out.flush();
        return 0;
    }

    /** Prints every few seconds how many jobs are explained: with some hundred jobs that takes a minute. */
    private static final class Progress {
        private static final long NANOS_BETWEEN_LINES = 2_000_000_000L;

        private final int jobs;
        private final @Nullable PrintWriter err;
        private long printed = System.nanoTime();
        private int begun;

        Progress(int jobs, @Nullable PrintWriter err) {
            this.jobs = jobs;
            this.err = err;
        }

        /** Counts a job; always true. */
        boolean next() {
            if (err != null && System.nanoTime() - printed > NANOS_BETWEEN_LINES) {
                printed = System.nanoTime();
                err.println("heddle pack: explained " + begun + " of " + jobs + " jobs; Ctrl-C leaves out the others");
                err.flush();
            }
            begun++;
            return true;
        }
    }

    private void requireKnown(Problem problem) {
        for (String name : only) {
            if (problem.jobs().stream().noneMatch(job -> job.name().equals(name))) {
                throw new CommandException(
                        CommandException.WRONG, "--job " + name + ": the problem has no job of this name");
            }
        }
    }
}
