// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is fetched into a sandbox; {@code hadoop} is a script here that shows how it was called. */
class SandboxesTest {
    @TempDir
    private Path directory;

    private static LaunchSpec.Uri uri(String value, String outputFile) {
        return new LaunchSpec.Uri(value, false, true, outputFile);
    }

    private Map<String, String> hadoop(String script) throws IOException {
        Path command = Files.createDirectories(directory.resolve("hadoop/bin")).resolve("hadoop");
        Files.writeString(command, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwx------"));
        return Map.of("HADOOP_HOME", directory.resolve("hadoop").toString());
    }

    @Test
    void otherFileSystemsAreReadWithTheNodesOwnClient() throws IOException {
        Sandboxes sandboxes = new Sandboxes(directory.resolve("s"), hadoop("echo \"$1 $2 $3\" > \"$4\""));
        Path sandbox = sandboxes.make("tasks/one");
        sandboxes.fetch(uri("hdfs://nn:8020/apps/run.sh", ""), sandbox);
        assertThat(sandbox.resolve("run.sh")).hasContent("fs -copyToLocal hdfs://nn:8020/apps/run.sh");
        assertThat(sandbox.resolve("run.sh")).isExecutable();
    }

    @Test
    void whatGoesWrongIsSaid() throws IOException {
        Path sandbox = new Sandboxes(directory.resolve("s"), Map.of()).make("tasks/one");
        assertThatThrownBy(() -> new Sandboxes(directory.resolve("s"), Map.of())
                        .fetch(uri("hdfs://nn:8020/apps/run.sh", ""), sandbox))
                .hasMessageContaining("hdfs://nn:8020/apps/run.sh")
                .hasMessageContaining("neither in HADOOP_HOME nor on the PATH");
        Map<String, String> failing = hadoop("exit 3");
        assertThatThrownBy(() ->
                        new Sandboxes(directory.resolve("s"), failing).fetch(uri("s3a://bucket/run.sh", "x"), sandbox))
                .hasMessageContaining("s3a://bucket/run.sh")
                .hasMessageContaining("ended with 3");
        assertThatThrownBy(() -> new Sandboxes(directory.resolve("s"), failing)
                        .fetch(uri("hdfs://nn/run.sh", "../../x"), sandbox))
                .hasMessageContaining("outside of the sandbox");
    }
}
