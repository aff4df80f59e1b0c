// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.result;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The state of the source tree.
 *
 * @param id the commit's first twelve digits; {@link Machine#UNKNOWN} outside a git repository
 * @param changed whether tracked files differ from the commit; what the evaluation itself writes does not count
 */
public record Commit(String id, boolean changed) {
    private static final List<String> WRITTEN_BY_THE_EVALUATION =
            List.of(":(exclude)benchmarks/results", ":(exclude)docs/evaluation.md", ":(exclude)docs/images");

    /** The commit of a source tree. */
    public static Commit of(Path root) throws InterruptedException {
        try {
            String id = git(root, List.of("rev-parse", "--short=12", "HEAD")).strip();
            List<String> status = new ArrayList<>(List.of("status", "--porcelain", "--untracked-files=no", "--", "."));
            status.addAll(WRITTEN_BY_THE_EVALUATION);
            return new Commit(id, !git(root, status).isBlank());
        } catch (IOException e) {
            return new Commit(Machine.UNKNOWN, false); // the distribution has no repository
        }
    }

    private static String git(Path root, List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git", "-C", root.toString()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException(String.join(" ", command) + " failed");
        }
        return out;
    }
}
