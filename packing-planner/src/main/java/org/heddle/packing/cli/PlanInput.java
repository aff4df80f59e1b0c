// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import org.heddle.packing.check.CheckResult;
import org.heddle.packing.check.PlanChecker;
import org.heddle.packing.io.PlanFile;
import picocli.CommandLine.Parameters;

/** The plan file that a command is given; shared by all that take one. */
final class PlanInput {
    @Parameters(paramLabel = "PLAN", description = "A plan file, as written by plan -o; - is standard input.")
    @SuppressWarnings("NullAway.Init") // injected
    private Path file;

    Path file() {
        return file;
    }

    /** The plan as it is; what was odd in the file is told. */
    PlanFile.Loaded read(PrintWriter err) {
        PlanFile.Loaded loaded = PlanFile.read(file, System.in);
        ProblemInput.warn(file, loaded.warnings(), err);
        return loaded;
    }

    /** The plan if the checker accepts it. */
    PlanFile.Loaded readAccepted(PrintWriter err) {
        PlanFile.Loaded loaded = read(err);
        CheckResult verdict = PlanChecker.check(loaded.problem(), loaded.plan());
        if (!verdict.accepted()) {
            throw new CommandException(
                    1, file + ": the plan is refused: " + verdict.violations().get(0));
        }
        return loaded;
    }
}
