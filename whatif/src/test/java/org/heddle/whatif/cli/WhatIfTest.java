// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command: one run, and what cannot be used is one sentence. */
class WhatIfTest {
    private static final String TRACE = """
            {"job.start.ms": 1793491200000, "job.queue.name": "root.etl", "job.id": "job_1", "job.user": "alice",
             "job.tasks": [{"count": 3, "container.duration.ms": 30000, "container.memory": 2048}]}
            """;

    private final StringWriter output = new StringWriter();
    private final StringWriter errors = new StringWriter();

    @TempDir
    private Path directory;

    private Path trace = Path.of("");
    private Path queues = Path.of("");

    @BeforeEach
    void write() throws IOException {
        trace = Files.writeString(directory.resolve("trace.json"), TRACE);
        queues = Files.writeString(
                directory.resolve("heddle-scheduler.xml"),
                "<heddle-scheduler version=\"1\"><queue name=\"root\"><queue name=\"etl\"/></queue></heddle-scheduler>");
    }

    private int run(String... arguments) {
        return WhatIf.run(new PrintWriter(output, true), new PrintWriter(errors, true), arguments);
    }

    /** On a small cluster, with the DRF scheduler. */
    private int runSmall(Object... arguments) {
        List<String> all =
                new ArrayList<>(List.of("--nodes", "2", "--node", "memory=8Gi,vcores=8", "--with", "heddle"));
        for (Object argument : arguments) {
            all.add(argument.toString());
        }
        return run(all.toArray(new String[0]));
    }

    private void refused(int code, String sentence) {
        assertThat(errors.toString()).contains(sentence).doesNotContain("Exception", "\tat ");
        assertThat(output.toString()).isEmpty();
        assertThat(code).isBetween(1, 2);
    }

    @Test
    void aTraceIsReplayedAndThePageWritten() throws IOException {
        Path page = directory.resolve("report.html");
        int code = runSmall("--trace", trace, "--file", queues, "--out", page);
        assertThat(errors.toString()).isEmpty();
        assertThat(code).isZero();
        assertThat(output.toString())
                .contains(trace + ": 1 job, 3 tasks, from 2026-11-01T00:00:00Z")
                .contains("2 nodes of 8192 MB and 8 vcores")
                .containsPattern("root\\.etl +heddle +1 +3 ");
        assertThat(Files.readString(page)).contains("root.etl");
    }

    @Test
    void aMissingDirectory() {
        refused(
                runSmall("--history", directory + "/no", "--file", queues),
                "/no does not exist, neither on this machine nor in file:///; give the directory");
    }

    @Test
    void anEmptyHistory() throws IOException {
        Path empty = Files.createDirectory(directory.resolve("empty"));
        refused(runSmall("--history", empty, "--file", queues), "has no .jhist file of a job that ran");
    }

    @Test
    void aFileThatIsNoHistory() {
        refused(runSmall("--history", queues, "--file", queues), "heddle-scheduler.xml: it is no job history");
    }

    @Test
    void anUnknownQueueOfAllJobs() {
        int code = runSmall("--trace", trace, "--file", queues, "--queue", "root.etl=root.nowhere");
        refused(code, "no scheduler accepts a job of this past; the first reason, for queue root.nowhere: ");
    }

    @Test
    void nodesThatAreTooSmall() {
        refused(
                run(
                        "--trace",
                        trace.toString(),
                        "--file",
                        queues.toString(),
                        "--nodes",
                        "2",
                        "--node",
                        "memory=1Gi,vcores=8"),
                "job_1 needs a container of 2048 MB and 1 vcore, and the largest node has 1024 MB and 8 vcores;"
                        + " give larger nodes with --node");
    }

    @Test
    void aContainerThatTheSiteForbids() throws IOException {
        Files.writeString(
                directory.resolve("yarn-site.xml"),
                "<configuration><property><name>yarn.scheduler.maximum-allocation-mb</name><value>1024</value>"
                        + "</property></configuration>");
        refused(
                runSmall("--trace", trace, "--file", queues),
                "and the yarn-site.xml allows 1024 MB and 8 vcores; raise yarn.scheduler.maximum-allocation-mb");
    }

    @Test
    void mistakesInTheCommandLine() {
        refused(run("--trace", trace.toString(), "--file", queues.toString()), "give --nodes and --node");
        errors.getBuffer().setLength(0);
        refused(runSmall("--trace", trace, "--file", queues, "--with", "fifo"), "scheduler 'fifo' is unknown");
        errors.getBuffer().setLength(0);
        refused(runSmall("--trace", trace, "--file", queues, "--file", queues), "have the same format");
        errors.getBuffer().setLength(0);
        refused(runSmall("--trace", trace, "--file", trace), "trace.json is no XML");
        errors.getBuffer().setLength(0);
        refused(
                run("--trace", trace.toString(), "--file", queues.toString(), "--nodes", "1", "--node", "memory=8"),
                "needs memory and vcores above 0");
        errors.getBuffer().setLength(0);
        refused(run("--file", queues.toString()), "--history");
    }
}
