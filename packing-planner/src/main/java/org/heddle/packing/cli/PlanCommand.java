// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.heddle.packing.chart.TextGantt;
import org.heddle.packing.check.AtOnce;
import org.heddle.packing.io.PlanFile;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.phased.Explainer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code heddle pack plan}. */
@Command(
        name = "plan",
        description = "Plans the jobs of a problem file (JSON or YAML) and prints the plan with its proven gap.")
final class PlanCommand implements Callable<Integer> {
    private static final double LEAST_SECONDS_TO_EXPLAIN = 2;

    @Spec
    @SuppressWarnings("NullAway.Init") // injected
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init") // injected
    private SolveOptions options;

    @Option(names = "--json", description = "Print the plan as JSON.")
    private boolean json;

    @Mixin
    @SuppressWarnings("NullAway.Init") // injected
    private Output output;

    @Mixin
    @SuppressWarnings("NullAway.Init") // injected
    private DrawingOptions drawing;

    @Mixin
    @SuppressWarnings("NullAway.Init") // injected
    private ProblemInput input;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        Problem problem = input.read(err);
        SolveOptions.Solved solved = options.solve(problem, err);
        long started = System.nanoTime();
        double seconds = Math.max(LEAST_SECONDS_TO_EXPLAIN, options.limit() - solved.seconds());
        Plan plan = Explainer.explain(
                problem, solved.plan(), () -> (System.nanoTime() - started) / 1e9 > seconds || Interrupt.asked());
        if ((System.nanoTime() - started) / 1e9 > seconds) {
            err.println("heddle pack: the time limit has ended; some jobs have no explanation of their phase;"
                    + " heddle pack explain PLAN computes it, with --job NAME for one job.");
        }
        String text = "";
        if (json || output.isWanted()) { // with many jobs the text is large
            text = PlanFile.write(problem, plan, solved.seconds()).toPrettyString();
        }
        output.write(text);
        drawing.draw(problem, plan, List.of());
        out.println(json ? text : TextGantt.draw(problem, plan, Output.width()));
        if (!json) {
            sayAtOnce(problem, plan, out);
        }
        if (Interrupt.wasAsked()) {
            err.println("heddle pack: stopped early; this is the best plan so far");
        }
        out.flush();
        return 0;
    }

    /** A plan is worth running if it ends sooner than what needs no plan. */
    private static void sayAtOnce(Problem problem, Plan plan, PrintWriter out) {
        double equal = AtOnce.withEqualShares(problem);
        double byWork = AtOnce.withSharesByWork(problem);
        out.printf(
                Locale.ROOT,
                "Without a plan, all jobs at once (by the same models, %s): %.1f s with equal shares, %.1f s with shares by"
                        + " work.%n",
                "mapreduce.job.reduce.slowstart.completedmaps = 1",
                equal,
                byWork);
        double best = Math.min(equal, byWork);
        if (best <= plan.makespan()) {
            out.printf(
                    Locale.ROOT,
                    "That is %.0f %% sooner than this plan: submit all at once with %s, unless an end must be promised.%n",
                    100 * (1 - best / plan.makespan()),
                    equal <= byWork ? "equal shares" : "weights of their queues by work, which is F(1)");
            out.println("heddle pack run --at-once PLAN does that with the shares that the scheduler gives.");
        }
    }
}
