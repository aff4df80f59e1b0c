// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import org.heddle.packing.check.CheckResult;
import org.heddle.packing.check.PlanChecker;
import org.heddle.packing.io.PlanFile;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.settings.command.CommandException;
import picocli.CommandLine.Parameters;

/** The parameter for a plan file; all commands that read a plan share it. */
final class PlanInput {
    @Parameters(paramLabel = "PLAN", description = "A plan file, as written by plan -o; - is standard input.")
    @SuppressWarnings("NullAway.Init") // injected
    private Path file;

    Path file() {
        return file;
    }

    /** Reads the plan without checking it; prints warnings about the file. */
    PlanFile.Loaded read(PrintWriter err) {
        PlanFile.Loaded loaded = PlanFile.read(file, System.in);
        ProblemInput.warn(file, loaded.warnings(), err);
        return loaded;
    }

    /** Reads the plan; throws if the checker refuses it. */
    PlanFile.Loaded readAccepted(PrintWriter err) {
        PlanFile.Loaded loaded = read(err);
        requireAccepted(file, loaded.problem(), loaded.plan());
        return loaded;
    }

    /** Throws if the checker refuses the plan. */
    static void requireAccepted(Path file, Problem problem, Plan plan) {
        CheckResult result = PlanChecker.check(problem, plan);
        if (!result.accepted()) {
            throw new CommandException(
                    CommandException.FAILED,
                    file + ": the plan is refused: " + result.violations().get(0));
        }
    }
}
