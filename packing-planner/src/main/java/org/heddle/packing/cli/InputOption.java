// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.heddle.packing.io.PlanFile;
import org.heddle.packing.io.ProblemFile;
import org.heddle.packing.model.Problem;

/** Reading files and saying what was odd in them. */
final class InputOption {
    private InputOption() {}

    static Problem problem(Path file, PrintWriter err) {
        ProblemFile.Loaded loaded = ProblemFile.read(file, System.in);
        warn(file, loaded.warnings(), err);
        return loaded.problem();
    }

    static PlanFile.Loaded plan(Path file, PrintWriter err) {
        PlanFile.Loaded loaded = PlanFile.read(file, System.in);
        warn(file, loaded.warnings(), err);
        return loaded;
    }

    private static void warn(Path file, List<String> warnings, PrintWriter err) {
        warnings.forEach(w -> err.println("heddle-pack: warning: " + file + ": " + w));
        err.flush();
    }
}
