// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.heddle.testkit.HeddleCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The recipe for Spark in the testkit's README, as it stands there, with a job of ours. */
class SparkRecipeIT {
    private static final Path SPARK =
            Path.of(System.getProperty("heddle.spark")).toAbsolutePath();

    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .nodes(2, Map.of("memory-mb", 2048L, "vcores", 2L))
            .addressesAsNames()
            .users("alice")
            .hdfs()
            .build();

    @Test
        void spark() throws Exception {
        String sparkJars = SPARK.resolve("engine") + "/*";
        String jobJar = SPARK.resolve("heddle-engine-spark-" + System.getProperty("heddle.version") + ".jar")
                .toString();
        File log = new File("target/spark-submit.log");
        // README: Spark
        Path conf = cluster.directory().resolve("spark-client");
        cluster.writeClientConfiguration(conf);
        ProcessBuilder submit = new ProcessBuilder(
                "java",
                "-cp",
                conf + ":" + sparkJars,
                "org.apache.spark.deploy.SparkSubmit",
                "--master",
                "yarn",
                "--deploy-mode",
                "cluster",
                "--driver-memory",
                "512m",
                "--executor-memory",
                "512m",
                "--num-executors",
                "2",
                "--conf",
                "spark.yarn.jars=local:" + sparkJars,
                "--conf",
                "spark.yarn.appMasterEnv.SPARK_LOCAL_IP=127.0.0.1",
                "--conf",
                "spark.executorEnv.SPARK_LOCAL_IP=127.0.0.1",
                "--class",
                "org.heddle.engines.spark.SparkWork",
                jobJar,
                "6",
                "100",
                "0",
                "/user/alice/sum");
        submit.environment().put("HADOOP_CONF_DIR", conf.toString());
        submit.environment().put("HADOOP_USER_NAME", "alice");
        Process client = submit.redirectErrorStream(true).redirectOutput(log).start();
        // end of README's text
        assertThat(client.waitFor(5, TimeUnit.MINUTES)).isTrue();
        String said = Files.readString(log.toPath());
        assertThat(client.exitValue()).as(said).isZero();
        try (var result = cluster.fileSystem().open(new org.apache.hadoop.fs.Path("/user/alice/sum"))) {
            assertThat(new String(result.readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("sum=21 ");
        }
    }

    @Test
    void theRecipeIsTheOneInReadme() throws IOException {
        String test = lines(Path.of("src/test/java/org/heddle/testkit/spark/SparkRecipeIT.java"));
        String begin = "// README: Spark ";
        String recipe = test.substring(test.indexOf(begin) + begin.length(), test.indexOf("// end of README's text"));
        assertThat(lines(Path.of("../README.md"))).contains(recipe);
    }

    /** The words of a file: the formatter of the source breaks lines elsewhere. */
    private static String lines(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        return lines.stream()
                .map(String::strip)
                .collect(Collectors.joining(" "))
                .replaceAll("\\s+", " ");
    }
}
