// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.mesos.v1.Protos.CommandInfo;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

class ExecutorCommandTest {
    private static final ExecutorTask EXECUTOR = new ExecutorTask(7, "agent", "node1");

    private final SparkConf conf = new SparkConf(false);

    @TempDir
    private Path directory;

    private CommandInfo build(String home) {
        return new ExecutorCommand(conf, home, List.of("hdfs:///a.zip"), 2, 512)
                .build(EXECUTOR, "app", "spark://driver", "s3cret", List.of(new Tuple2<>("SPARK_USER", "alice")));
    }

    /** What a shell makes of the command: the arguments of java, one for each line. */
    private List<String> run(CommandInfo command) throws IOException, InterruptedException {
        Path fake = Files.createDirectories(directory.resolve("jdk/bin")).resolve("java");
        Files.writeString(fake, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
        assertThat(fake.toFile().setExecutable(true)).isTrue();
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", command.getValue()).directory(directory.toFile());
        builder.environment().put("JAVA_HOME", directory.resolve("jdk").toString());
        builder.environment().remove("SPARK_DIST_CLASSPATH");
        Process process = builder.start();
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .collect(Collectors.toList());
        assertThat(process.waitFor()).isZero();
        return lines;
    }

    @Test
    void aShellMakesOneWordOfEachOption() throws Exception {
        conf.set("spark.executor.extraJavaOptions", "-Dx='a b' -Dexecutor={{EXECUTOR_ID}} -Dmoney=$HOME");
        conf.set("spark.executor.extraClassPath", "/it's mine/*");
        conf.set("spark.driver.port", "4040");
        assertThat(run(build("/opt/spark home")))
                .contains("-Xmx512m", "-Dx=a b", "-Dexecutor=7", "-Dmoney=$HOME", "-Dspark.driver.port=4040")
                .contains("/it's mine/*:/opt/spark home/conf:/opt/spark home/jars/*")
                .containsSequence("--executor-id", "7", "--hostname", "node1", "--cores", "2", "--app-id", "app");
    }

    @Test
    void anArchiveOfSparkIsExtractedAndFound() throws Exception {
        Files.createDirectories(directory.resolve("spark-3.5-bin/jars"));
        conf.set("spark.executor.uri", "hdfs:///spark-3.5-bin.tgz");
        CommandInfo command = build("");
        assertThat(command.getUrisList())
                .extracting(CommandInfo.URI::getValue)
                .containsExactly("hdfs:///a.zip", "hdfs:///spark-3.5-bin.tgz");
        String home = directory.resolve("spark-3.5-bin").toString();
        assertThat(run(command)).contains(home + "/conf:" + home + "/jars/*");
    }

    @Test
    void environmentAndSecretAreVariables() {
        conf.set("spark.executorEnv.LANG", "C");
        conf.set("spark.authenticate.secret", "s3cret");
        CommandInfo command = build("/spark");
        Map<String, String> variables = command.getEnvironment().getVariablesList().stream()
                .collect(Collectors.toMap(one -> one.getName(), one -> one.getValue()));
        assertThat(variables)
                .containsEntry("SPARK_USER", "alice")
                .containsEntry("LANG", "C")
                .containsEntry("_SPARK_AUTH_SECRET", "s3cret");
        assertThat(command.getValue()).as("what every user of the node sees").doesNotContain("s3cret");
    }

    @Test
    void withoutSparkTheSettingsAreNamed() {
        assertThatThrownBy(() -> build(""))
                .hasMessageContaining("spark.offers.executor.home")
                .hasMessageContaining("spark.executor.uri");
    }
}
