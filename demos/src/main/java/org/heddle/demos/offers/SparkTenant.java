// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.offers;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.heddle.testkit.HeddleCluster;

/**
 * Spark with the master {@code offers://}: a session that runs iterations of logistic regression while it is active.
 * Dynamic allocation gives its executors back while it is not.
 */
final class SparkTenant implements Tenant {
    static final String NAME = "spark";
    private static final String INPUT = "/demo/points";
    private static final String DONE = "Iteration ";
    private static final int POINTS = 5_000;
    private static final int DIMENSIONS = 5;
    private static final int TASK_MILLIS = 1_500;
    private static final Map<String, String> SETTINGS = Map.of(
            "spark.offers.role", NAME,
            "spark.executor.memory", "512m",
            "spark.executor.extraJavaOptions", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1",
            "spark.driver.host", "127.0.0.1",
            "spark.ui.enabled", "false",
            "spark.locality.wait", "0s",
            "spark.dynamicAllocation.enabled", "true",
            "spark.dynamicAllocation.shuffleTracking.enabled", "true",
            "spark.dynamicAllocation.executorIdleTimeout", "3s",
            "spark.dynamicAllocation.cachedExecutorIdleTimeout", "3s");

    private final ChildProcess process;
    private final int tasks;
    private boolean active = true;
    private boolean asked;
    private int iterations;

    /**
     * Starts it as users do, by the script {@code submit}.
     *
     * @param tree the directory of the source tree
     * @param home for its log and the cluster's configuration
     * @param tasks of each iteration
     */
    SparkTenant(HeddleCluster cluster, URI bridge, Path tree, Path home, int tasks) throws IOException {
        this.tasks = tasks;
        writePoints(cluster.fileSystem());
        Path conf = Files.createDirectories(home.resolve("conf"));
        cluster.writeClientConfiguration(conf);
        Path module = tree.resolve("offer-bridge/frameworks/spark");
        List<String> command = new ArrayList<>(List.of(
                module.resolve("submit").toString(),
                bridge.getAuthority(),
                "--name",
                NAME,
                "--class",
                "org.heddle.offers.spark.examples.RegressionShell"));
        SETTINGS.forEach((key, value) -> command.addAll(List.of("--conf", key + "=" + value)));
        command.addAll(List.of(examples(module), INPUT, Integer.toString(tasks), Integer.toString(TASK_MILLIS)));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().remove("SPARK_HOME");
        builder.environment().put("HADOOP_CONF_DIR", conf.toString());
        builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        process = new ChildProcess(builder, home.resolve("spark.log"), this::read);
    }

    private static String examples(Path module) throws IOException {
        try (Stream<Path> files = Files.list(module.resolve("target"))) {
            return files.map(Path::toString)
                    .filter(file -> file.endsWith("-examples.jar"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("no jar of examples in " + module.resolve("target")
                            + ": start the demo by ./demo, which builds it"));
        }
    }

    private static void writePoints(FileSystem files) throws IOException {
        Random random = new Random(20261124);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < POINTS; i++) {
            int label = random.nextBoolean() ? 1 : -1;
            text.append(label);
            for (int d = 1; d <= DIMENSIONS; d++) {
                text.append(String.format(Locale.ROOT, " %.4f", random.nextGaussian() + 0.3 * d * label));
            }
            text.append('\n');
        }
        try (OutputStream out = files.create(new org.apache.hadoop.fs.Path(INPUT))) {
            out.write(text.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    private synchronized void read(String line) {
        if (line.startsWith(DONE)) {
            iterations++;
        }
        if (line.startsWith(DONE) || line.equals("Ready")) {
            asked = false;
            ask();
        }
    }

    private void ask() {
        if (active && !asked) {
            asked = true;
            process.send("1");
        }
    }

    /** Whether it wants resources; when not, it finishes its iteration and idles. */
    synchronized void activate(boolean wanted) {
        active = wanted;
        if (iterations > 0) {
            ask();
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String about() {
        return "Spark, logistic regression, " + tasks + " tasks of " + TASK_MILLIS / 1000.0 + " s an iteration";
    }

    @Override
    public synchronized String progress() {
        return iterations + " iterations" + (active ? "" : ", idle");
    }

    @Override
    public String trouble() {
        return process.trouble();
    }

    @Override
    public void close() {
        process.close();
    }
}
