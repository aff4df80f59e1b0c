// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.heddle.packing.model.Explanation;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.SolveContext;
import org.heddle.packing.solve.phased.Explainer;
import org.heddle.packing.solve.phased.SequentialPlanner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code heddle-pack explain}. */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        description = "Explains for each job why it runs in its phase and role, and what the best other choice costs.")
final class ExplainCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // injected
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init") // injected
    private SolveOptions options;

    @Mixin
    @SuppressWarnings("NullAway.Init") // injected
    private ProblemInput input;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        Problem problem = input.read(spec.commandLine().getErr());
        Plan plan = Explainer.explain(
                problem, options.solve(problem, spec.commandLine().getErr()).plan());
        double sequential =
                new SequentialPlanner().plan(problem, SolveContext.quiet(1)).makespan();
        out.println(String.format(
                Locale.ROOT,
                "%s plans %.6g s in %d phases; one job after the other takes %.6g s, so it saves %.1f %%.",
                options.planner(),
                plan.makespan(),
                plan.phases().size(),
                sequential,
                100 * (1 - plan.makespan() / sequential)));
        out.println(String.format(
                Locale.ROOT,
                "No plan of this kind can end before %.6g s (%s): %s.",
                plan.lowerBound(),
                plan.bound(),
                plan.gap() == 0
                        ? "this one is optimal"
                        : String.format(Locale.ROOT, "this one is within %.2f %%", 100 * plan.gap())));
        for (Explanation explanation : plan.explanations()) {
            out.println("- " + explanation.text());
        }
        out.flush();
        return 0;
    }
}
