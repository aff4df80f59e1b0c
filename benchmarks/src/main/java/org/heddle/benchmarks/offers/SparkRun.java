// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.heddle.testkit.logs.LogTail;

/** Runs example applications of Spark on the bridge in processes of their own, and times their iterations. */
public final class SparkRun {
    static final Application REGRESSION = regression("/points");

    private static final Pattern CACHED = Pattern.compile("Added (rdd_\\d+_\\d+) in memory");
    private static final int TAIL = 25;
    private static final String EXECUTOR = "org.apache.spark.executor.CoarseGrainedExecutorBackend";

    private final Path home;
    private final Path configuration;
    private final URI bridge;
    private final Path module;
    private final Map<String, String> settings = new LinkedHashMap<>();
    private int runs;

    /**
     * One of the examples.
     *
     * @param name of its class
     * @param input a file
     * @param output a file
     * @param more arguments after the output
     */
    public record Application(String name, String input, String output, List<String> more) {}

    /** Logistic regression of {@link Points}. */
    public static Application regression(String input) {
        return new Application("LogisticRegression", input, "/weights", List.of());
    }

    /**
     * @param begins seconds from the start of the driver to the begin of each iteration
     * @param seconds from the start of the driver to its end
     * @param cached partitions that were kept in memory
     */
    public record Times(List<Double> begins, double seconds, int cached) {
        /** Seconds of iteration i, of which the first is 1 and the last has no time of its own. */
        double iteration(int i) {
            return begins.get(i) - begins.get(i - 1);
        }

        /** Seconds from the start of the driver to the end of iteration i. */
        double until(int i) {
            return i < begins.size() ? begins.get(i) : seconds;
        }
    }

    /**
     * @param home for logs
     * @param configuration a directory with the site files of a client
     * @param tree the directory of the source tree
     */
    public SparkRun(Path home, Path configuration, URI bridge, Path tree, int executors, String memory) {
        this.home = home;
        this.configuration = configuration;
        this.bridge = bridge;
        this.module = tree.toAbsolutePath().resolve("offer-bridge/frameworks/spark");
        set("spark.cores.max", Integer.toString(executors));
        set("spark.executor.memory", memory);
        set("spark.scheduler.minRegisteredResourcesRatio", "1.0");
        set("spark.driver.host", "127.0.0.1");
        set("spark.ui.enabled", "false");
    }

    public SparkRun set(String key, String value) {
        settings.put(key, value);
        return this;
    }

    /**
     * @param onIteration is told of each begin of an iteration
     * @throws IOException also if Spark ends with another exit code than 0, or without all iterations
     */
    public Times run(Application application, int partitions, int iterations, IntConsumer onIteration)
            throws Exception {
        List<String> arguments = new ArrayList<>(List.of(
                application.input(), String.valueOf(partitions), String.valueOf(iterations), application.output()));
        arguments.addAll(application.more());
        return run(application.name(), arguments, "", iterations, onIteration);
    }

    /**
     * Runs logistic regression of {@link Points} whose tasks take a least time, so that few cores look like many.
     *
     * @throws IOException also if Spark ends with another exit code than 0, or without all iterations
     */
    public void runPaced(String input, int partitions, int taskMillis, int iterations) throws Exception {
        List<String> arguments = List.of(input, String.valueOf(partitions), String.valueOf(taskMillis));
        run("RegressionShell", arguments, iterations + "\n", iterations, ended -> {});
    }

    /** @param input what the program reads from its standard input */
    private Times run(String name, List<String> arguments, String input, int iterations, IntConsumer onIteration)
            throws Exception {
        String files = "spark" + runs++;
        Path log = home.resolve(files + ".log");
        Path standardInput = Files.writeString(home.resolve(files + ".in"), input);
        List<String> command = new ArrayList<>(List.of(
                module.resolve("submit").toString(),
                bridge.getAuthority(),
                "--class",
                "org.heddle.offers.spark.examples." + name));
        settings.forEach((key, value) -> command.addAll(List.of("--conf", key + "=" + value)));
        command.add(examples().toString());
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(standardInput.toFile())
                .redirectError(log.toFile());
        builder.environment().remove("SPARK_HOME");
        builder.environment()
                .putAll(Map.of(
                        "HADOOP_CONF_DIR", configuration.toString(),
                        "SPARK_LOCAL_IP", "127.0.0.1",
                        "JAVA_HOME", System.getProperty("java.home")));
        long start = System.nanoTime();
        Process process = builder.start();
        List<Double> begins = new ArrayList<>();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.startsWith("Iteration ")) {
                    begins.add((System.nanoTime() - start) / 1e9);
                    onIteration.accept(begins.size());
                }
            }
            if (process.waitFor() != 0 || begins.size() != iterations) {
                // the log may be deleted with its cluster
                throw new IOException("Spark ended with exit code " + process.exitValue() + " after " + begins.size()
                        + " of " + iterations + " iterations, and its log with:\n" + LogTail.of(log, TAIL));
            }
        } finally {
            process.destroyForcibly();
        }
        return new Times(begins, (System.nanoTime() - start) / 1e9, cached(log));
    }

    private Path examples() throws IOException {
        try (Stream<Path> files = Files.list(module.resolve("target"))) {
            return files.filter(file -> file.toString().endsWith("-examples.jar"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("no jar of examples in " + module.resolve("target")));
        }
    }

    private static int cached(Path log) throws IOException {
        Set<String> blocks = new HashSet<>();
        Matcher matcher = CACHED.matcher(Files.readString(log));
        while (matcher.find()) {
            blocks.add(matcher.group(1));
        }
        return blocks.size();
    }

    /** Ends one executor of this machine as {@code kill -9} does. */
    static void killExecutor() {
        ProcessHandle.current()
                .descendants()
                .filter(one -> words(one).contains(EXECUTOR))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("there is no executor"))
                .destroyForcibly();
    }

    private static List<String> words(ProcessHandle handle) {
        try {
            Path file = Path.of("/proc", Long.toString(handle.pid()), "cmdline");
            return Arrays.asList(Files.readString(file).split("\0", -1));
        } catch (IOException e) {
            return List.of(); // it has ended
        }
    }
}
