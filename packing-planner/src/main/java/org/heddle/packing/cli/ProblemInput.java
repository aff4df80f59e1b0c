// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.heddle.packing.io.ProblemFile;
import org.heddle.packing.model.Problem;
import picocli.CommandLine.Parameters;

/** The parameter for a problem file; all commands that read a problem share it. */
final class ProblemInput {
    @Parameters(paramLabel = "FILE", description = "The problem, JSON or YAML; - is standard input.")
    @SuppressWarnings("NullAway.Init") // injected
    private Path file;

    Path file() {
        return file;
    }

    /** Reads the problem; prints warnings about the file. */
    Problem read(PrintWriter err) {
        ProblemFile.Loaded loaded = ProblemFile.read(file, System.in);
        warn(file, loaded.warnings(), err);
        return loaded.problem();
    }

    static void warn(Path file, List<String> warnings, PrintWriter err) {
        warnings.forEach(w -> err.println("heddle pack: warning: " + file + ": " + w));
        err.flush();
    }
}
