// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import org.heddle.packing.check.BoundCheck;
import org.heddle.packing.check.BoundResult;
import org.heddle.packing.check.CheckResult;
import org.heddle.packing.check.PlanChecker;
import org.heddle.packing.check.Rule;
import org.heddle.packing.check.Violation;
import org.heddle.packing.io.PlanFile;
import org.heddle.packing.solve.TimedSolver;
import org.heddle.settings.command.SecondsConverter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code heddle-pack check}. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = "Checks a plan file with code that is independent of the planners. Exit code 1: refused.")
final class CheckCommand implements Callable<Integer> {
    private static final long SEED = 1;

    @Spec
    @SuppressWarnings("NullAway.Init") // injected
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init") // injected
    private PlanInput input;

    @Option(
            names = "--time-limit",
            defaultValue = "5s",
            paramLabel = "DURATION",
            converter = SecondsConverter.class,
            description =
                    "Longest check of the lower bound, and search for a shorter plan (default:" + " ${DEFAULT-VALUE}).")
    private double limit;

    @Option(
            names = "--require-proof",
            description = "Exit code 1 also if the lower bound was not confirmed within the time limit.")
    private boolean requireProof;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PlanFile.Loaded loaded = input.read(spec.commandLine().getErr());
        CheckResult result = PlanChecker.check(
                loaded.problem(),
                loaded.plan(),
                loaded.claims().gap(),
                loaded.claims().optimal());
        List<Violation> violations = new ArrayList<>(result.violations());
        String bound = "";
        boolean unproven = false;
        if (result.accepted()) {
            BoundResult judged = BoundCheck.check(
                    loaded.problem(),
                    loaded.plan(),
                    TimedSolver.ifPresent().map(SolverProof::new).orElse(null),
                    System::nanoTime,
                    seconds(),
                    new Random(SEED));
            String claim = String.format(Locale.ROOT, "%.9g s", loaded.plan().lowerBound());
            String how = loaded.plan().bound();
            switch (judged.verdict()) {
                case REFUTED ->
                    violations.add(new Violation(
                            Rule.LOWER_BOUND, "lowerBound", "claims " + claim + ", but " + judged.reason()));
                case NO_CERTIFICATE ->
                    violations.add(new Violation(
                            Rule.LOWER_BOUND,
                            "lowerBound",
                            claim + " (" + how + ") is claimed without certificate: " + judged.reason()
                                    + "; the plan may still run, but nothing shows how good it is"));
                case NOT_CONFIRMED -> {
                    unproven = true;
                    bound = "lower bound " + claim + " is " + judged.reason();
                }
                case PROVEN -> {
                    String optimal = loaded.plan().gap() == 0 ? ", and so is that the plan is optimal" : "";
                    bound = "lower bound " + claim + " is proven" + optimal + ": " + judged.reason();
                }
            }
        }
        violations.forEach(out::println);
        out.println(String.format(
                Locale.ROOT,
                "%s: makespan %.9g s, area bound %.9g s",
                violations.isEmpty() ? "accepted" : "refused (" + violations.size() + " violations)",
                result.makespan(),
                result.areaBound()));
        if (!bound.isEmpty()) {
            out.println(bound);
        }
        out.flush();
        return violations.isEmpty() && !(unproven && requireProof) ? 0 : 1;
    }

    private double seconds() {
        if (!(limit > 0)) {
            throw new CommandException(2, "--time-limit " + limit + ": must be a number of seconds > 0");
        }
        return limit;
    }
}
