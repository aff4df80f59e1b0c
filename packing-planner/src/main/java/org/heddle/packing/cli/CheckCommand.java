// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.heddle.packing.check.CheckResult;
import org.heddle.packing.check.PlanChecker;
import org.heddle.packing.io.PlanFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code heddle-pack check}. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = "Judges a plan file by code independent of the planners. Exit code 1: refused.")
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
        CheckResult verdict = PlanChecker.check(loaded.problem(), loaded.plan());
        verdict.violations().forEach(out::println);
        out.println(String.format(
                Locale.ROOT,
                "%s: makespan %.9g s, area bound %.9g s",
                verdict.accepted()
                        ? "accepted"
                        : "refused (" + verdict.violations().size() + " violations)",
                verdict.makespan(),
                verdict.areaBound()));
        out.flush();
        return verdict.accepted() ? 0 : 1;
    }
}
