// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.explain;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The options of {@code heddle late explain}. */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        description = {
            "Says why each backup of a job started, and why slow tasks had none.",
            "Reads late.jsonl, or standard input: yarn logs -applicationId ID -log_files late.jsonl | heddle late"
                    + " explain -"
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
    public Integer call() {
        try (BufferedReader lines = open()) {
            Explanation explanation = Explanation.of(lines);
            if (explanation.isEmpty()) {
                return failed("holds no decisions of LATE: give the late.jsonl of a job");
            }
            explanation.print(spec.commandLine().getOut());
            return 0;
        } catch (NoSuchFileException e) {
            return failed("does not exist");
        } catch (IOException e) {
            return failed("cannot be read: " + e.getMessage());
        }
    }

    private BufferedReader open() throws IOException {
        return log.equals("-")
                ? new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                : Files.newBufferedReader(Path.of(log));
    }

    private int failed(String why) {
        String what = log.equals("-") ? "standard input" : log;
        spec.commandLine().getErr().println(spec.commandLine().getCommandName() + ": " + what + " " + why);
        return 1;
    }
}
