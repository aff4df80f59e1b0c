// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.heddle.testkit.Await;
import org.heddle.testkit.HeddleCluster;
import org.heddle.testkit.logs.LogTail;
import org.jspecify.annotations.Nullable;

/** A driver in a process of its own, started as users start it. */
final class SparkJob implements AutoCloseable {
    private static final Path ENGINE =
            Path.of(System.getProperty("heddle.spark.engine")).normalize();
    private static final Path MODULE =
            Path.of(System.getProperty("heddle.spark.module")).normalize();
    private static final String VERSION = System.getProperty("heddle.version");
    private static final Pattern FRAMEWORK = Pattern.compile("with the bridge as framework (\\S+)");
    private static final Duration LONG = Duration.ofMinutes(4);

    private final Path directory;
    private final Map<String, String> settings = new LinkedHashMap<>();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final Path log;
    private @Nullable Process process;

    /** @param directory where Spark's home and the cluster's configuration are, see {@link #prepare} */
    SparkJob(Path directory, String name) {
        this.directory = directory;
        this.log = directory.resolve(name + ".log");
        set("spark.executor.memory", "512m");
        set("spark.executor.extraJavaOptions", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1");
        set("spark.driver.host", "127.0.0.1");
        set("spark.ui.enabled", "false");
        set("spark.offers.executor.home", directory.resolve("spark").toString());
    }

    static void prepare(HeddleCluster cluster, Path directory) throws IOException {
        cluster.writeClientConfiguration(Files.createDirectories(directory.resolve("hadoop")));
        Files.createSymbolicLink(
                Files.createDirectories(directory.resolve("spark")).resolve("jars"), ENGINE.resolve("engine"));
    }

    SparkJob set(String setting, String value) {
        settings.put(setting, value);
        return this;
    }

    /** A variable of the driver's environment. */
    SparkJob environment(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /** One of the examples. */
    SparkJob example(String bridge, String application, Object... arguments) throws IOException {
        return submit(
                bridge,
                "org.heddle.offers.spark.examples." + application,
                MODULE.resolve("target/heddle-spark-offers-" + VERSION + "-examples.jar"),
                arguments);
    }

    /** The job of the engines' tests, which idles between two stages. */
    SparkJob work(String bridge, Object... arguments) throws IOException {
        return engineJob(bridge, "SparkWork", arguments);
    }

    /** The job that copies a file in rounds. */
    SparkJob rounds(String bridge, Object... arguments) throws IOException {
        return engineJob(bridge, "FileRounds", arguments);
    }

    private SparkJob engineJob(String bridge, String job, Object... arguments) throws IOException {
        return submit(
                bridge,
                "org.heddle.engines.spark." + job,
                ENGINE.resolve("heddle-engine-spark-" + VERSION + ".jar"),
                arguments);
    }

    private SparkJob submit(String bridge, String main, Path jar, Object... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(MODULE.resolve("submit").toString(), bridge, "--class", main));
        settings.forEach((key, value) -> command.addAll(List.of("--conf", key + "=" + value)));
        command.add(jar.toString());
        Arrays.stream(arguments).map(Object::toString).forEach(command::add);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("SPARK_HOME", directory.resolve("spark").toString());
        builder.environment().put("HADOOP_CONF_DIR", directory.resolve("hadoop").toString());
        builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().putAll(environment);
        process = builder.start();
        return this;
    }

    String log() throws IOException {
        return Files.readString(log);
    }

    SparkJob awaitLog(String text) {
        Await.until("'" + text + "' in " + log, LONG, () -> {
            if (log().contains(text)) {
                return true;
            }
            if (!process().isAlive()) {
                throw new IllegalStateException("the driver has ended:\n" + LogTail.of(log, 60));
            }
            return false;
        });
        return this;
    }

    /** Waits for its end without an error. */
    void awaitSuccess() throws Exception {
        assertThat(awaitEnd()).as(() -> LogTail.of(log, 60)).isZero();
    }

    int awaitEnd() throws Exception {
        return Await.exit("the driver", LONG, process());
    }

    String frameworkId() throws IOException {
        awaitLog("with the bridge as framework");
        Matcher matcher = FRAMEWORK.matcher(log());
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }

    /** Processes of its executors on this machine. */
    List<ProcessHandle> executors() throws IOException {
        String id = frameworkId();
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            return all.filter(one -> {
                        List<String> words = words(one);
                        return words.contains("org.apache.spark.executor.CoarseGrainedExecutorBackend")
                                && words.contains(id);
                    })
                    .toList();
        }
    }

    private static List<String> words(ProcessHandle handle) {
        try {
            Path file = Path.of("/proc", Long.toString(handle.pid()), "cmdline");
            return List.of(new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\0", -1));
        } catch (IOException e) {
            return List.of(); // it has ended
        }
    }

    private Process process() {
        return Objects.requireNonNull(process, "not submitted");
    }

    @Override
    public void close() {
        Process started = process;
        if (started != null) {
            started.destroyForcibly().onExit().join();
        }
    }
}
