// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.heddle.packing.check.CheckResult;
import org.heddle.packing.check.PlanChecker;
import org.heddle.packing.io.PlanFile;
import org.heddle.packing.model.Plan;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code heddle pack check}. */
@Command(
        name = "check",
        description =
                "Checks a plan file with code that is independent of the planners. Exit code 1: refused. Lower bounds"
                        + " are not proven again.")
final class CheckCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // injected
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init") // injected
    private PlanInput input;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PlanFile.Loaded loaded = input.read(spec.commandLine().getErr());
        CheckResult result = PlanChecker.check(
                loaded.problem(),
                loaded.plan(),
                loaded.claims().gap(),
                loaded.claims().optimal());
        result.violations().forEach(out::println);
        out.println(String.format(
                Locale.ROOT,
                "%s: makespan %.9g s, area bound %.9g s",
                verdict(result),
                result.makespan(),
                result.areaBound()));
        if (result.accepted()) {
            Plan plan = loaded.plan();
            out.println(String.format(
                    Locale.ROOT,
                    "The lower bound of %.9g s is taken from the file (%s); check does not prove it again.",
                    plan.lowerBound(),
                    plan.bound()));
        }
        out.flush();
        return result.accepted() ? 0 : 1;
    }

    private static String verdict(CheckResult result) {
        int violations = result.violations().size();
        if (violations == 0) {
            return "accepted";
        }
        return violations == 1 ? "refused (1 violation)" : "refused (" + violations + " violations)";
    }
}
