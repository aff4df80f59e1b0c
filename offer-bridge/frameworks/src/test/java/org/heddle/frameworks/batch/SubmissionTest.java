// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.heddle.frameworks.offers.Size;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What qsub refuses, by what the daemon has seen of the cluster. */
@Tag("pure")
class SubmissionTest {
    private static final Limits LIMITS =
            new Limits(List.of(new Size(4, 16_384), new Size(16, 4096)), new Size(32, 32_768));

    @TempDir
    private Path directory;

    @BeforeEach
    void theDaemonHasSeenTheCluster() throws Exception {
        new Spool(directory).save("f", LIMITS, List.of());
    }

    /** The sentence of the refusal; empty if the job was taken. */
    private String submit(String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of("--dir", directory.toString(), "qsub"));
        words.addAll(List.of(options));
        words.add("true");
        StringBuilder problem = new StringBuilder();
        new CommandLine(new BatchCommand())
                .setOut(new PrintWriter(new StringWriter(), true))
                .setExecutionExceptionHandler((error, line, parsed) -> {
                    problem.append(error.getMessage());
                    return 1;
                })
                .execute(words.toArray(new String[0]));
        assertThat(new Spool(directory).unseen().isEmpty()).isEqualTo(!problem.isEmpty());
        for (Spool.Message message : new Spool(directory).unseen()) {
            Files.delete(message.file());
        }
        return problem.toString();
    }

    @Test
    void aTaskMustFitANode() throws Exception {
        assertThat(submit("--cpus", "100"))
                .isEqualTo("no node has 100 CPUs and 256 MiB for a task: nodes have 4 CPUs and 16384 MiB, or 16 CPUs"
                        + " and 4096 MiB");
        assertThat(submit("--cpus", "16", "--mem", "8Gi")).startsWith("no node has 16 CPUs and 8192 MiB");
        assertThat(submit("--cpus", "16", "--mem", "4Gi")).isEmpty();
    }

    @Test
    void tasksThatStartTogetherMustFitTheQueue() throws Exception {
        assertThat(submit("--cpus", "4", "-n", "9")).startsWith("the job needs 36 CPUs and 2304 MiB at a time");
        assertThat(submit("--cpus", "4", "-n", "8")).isEmpty();
        assertThat(submit("--cpus", "4", "-t", "900")).isEmpty();
    }

    @Test
    void withoutADaemonEveryJobWaits() throws Exception {
        new Spool(directory).save("f", null, List.of());
        assertThat(submit("--cpus", "100")).isEmpty();
    }

    @Test
    void theDirectoryForOutputMustBeThere() throws Exception {
        assertThat(submit("--output", directory + "/missing"))
                .startsWith("--output " + directory + "/missing is no directory of this machine");
        Path file = Files.createFile(directory.resolve("file"));
        assertThat(submit("--output", file.toString())).contains("is no directory");
        assertThat(submit("--output", directory.toString())).isEmpty();
    }
}
