// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.explain;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.heddle.settings.command.CommandException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The options of {@code heddle late explain}. */
@Command(
        name = "explain",
        description = {
            "Says why each backup of a job started, and why slow tasks had none.",
            "Reads late.jsonl, or with - standard input, for example of yarn logs -applicationId ID -log_files"
                    + " late.jsonl."
        })
public final class ExplainOptions implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // injected
    private CommandSpec spec;

    @Parameters(
            paramLabel = "late.jsonl",
            description =
                    "The decision log of the job in the ApplicationMaster's log directory, or - for standard input.")
    @SuppressWarnings("NullAway.Init") // injected
    private String log;

    @Override
    public Integer call() throws IOException {
        try (BufferedReader lines = open()) {
            Explanation explanation = Explanation.of(lines);
            if (explanation.isEmpty()) {
                String what = log.equals("-") ? "standard input" : log;
                throw new CommandException(
                        CommandException.FAILED, what + " holds no decisions of LATE: give the late.jsonl of a job");
            }
            explanation.print(spec.commandLine().getOut());
            return 0;
        }
    }

    private BufferedReader open() throws IOException {
        if (log.equals("-")) {
            return new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        }
        return Files.newBufferedReader(Path.of(log));
    }
}
