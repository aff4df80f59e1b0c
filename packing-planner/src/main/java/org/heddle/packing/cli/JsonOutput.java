// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for the output file; all commands that make problems or plans share it. */
final class JsonOutput {
    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Write the result, a problem or a plan, as JSON.")
    private @Nullable Path file;

    boolean isWanted() {
        return file != null;
    }

    void write(String json) {
        if (file != null) {
            Output.write(file, json);
        }
    }
}
