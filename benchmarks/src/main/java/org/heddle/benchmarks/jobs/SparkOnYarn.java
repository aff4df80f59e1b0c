// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.jobs;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.spark.launcher.JavaModuleOptions;
import org.heddle.testkit.Await;
import org.heddle.testkit.logs.LogTail;

/**
 * spark-submit of {@link SleepingStages} to YARN, with the driver in the cluster and with dynamic allocation as Spark
 * has it by default. Spark's jars are those that Maven has fetched for the plug-in of the offer bridge, and its master
 * in YARN.
 */
final class SparkOnYarn {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int TAIL = 25;

    private final Path home;
    private final Path jars;
    private final Path program;
    private final Path clientConfiguration;

    /**
     * @param home a directory for jars, logs and events
     * @param tree the directory of the source tree
     * @param clientConfiguration a directory with the site files of a client
     */
    SparkOnYarn(Path home, Path tree, Path clientConfiguration) throws IOException {
        this.home = home;
        this.clientConfiguration = clientConfiguration;
        jars = Files.createDirectories(home.resolve("jars"));
        Path list = tree.toAbsolutePath().resolve("offer-bridge/frameworks/spark/target/spark.classpath");
        List<String> all =
                new ArrayList<>(List.of(Files.readString(list).strip().split(File.pathSeparator, -1)));
        all.add(masterInYarn());
        for (String jar : all) {
            Path name = Path.of(jar).getFileName();
            Files.createSymbolicLink(jars.resolve(String.valueOf(name)), Path.of(jar));
        }
        program = writeProgram(home.resolve("stages.jar"));
        Files.createDirectories(events());
    }

    private static String masterInYarn() throws IOException {
        return Stream.of(System.getProperty("java.class.path", "").split(File.pathSeparator, -1))
                .filter(entry -> entry.contains("/spark-yarn_"))
                .findFirst()
                .orElseThrow(() -> new IOException("spark-yarn is not on the class path"));
    }

    /** A jar of one class; lambdas are inside it. */
    private static Path writeProgram(Path jar) throws IOException {
        String name = SleepingStages.class.getName().replace('.', '/') + ".class";
        try (InputStream in = SleepingStages.class.getClassLoader().getResourceAsStream(name);
                OutputStream file = Files.newOutputStream(jar);
                ZipOutputStream out = new ZipOutputStream(file)) {
            if (in == null) {
                throw new IOException(name + " is not on the class path");
            }
            out.putNextEntry(new ZipEntry(name));
            in.transferTo(out);
        }
        return jar;
    }

    private Path events() {
        return home.resolve("events");
    }

    /** Runs it to its end. */
    void run(String name, String queue, int stages, int tasks, int taskMillis, int executors) throws IOException {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("spark.master", "yarn");
        settings.put("spark.submit.deployMode", "cluster");
        settings.put("spark.app.name", name);
        settings.put("spark.yarn.queue", queue);
        settings.put("spark.yarn.jars", "local:" + jars + "/*");
        settings.put("spark.dynamicAllocation.enabled", "true");
        settings.put(
                "spark.dynamicAllocation.shuffleTracking.enabled", "true"); // nodes have no shuffle service of Spark's
        settings.put("spark.dynamicAllocation.maxExecutors", String.valueOf(executors));
        settings.put("spark.eventLog.enabled", "true");
        settings.put("spark.eventLog.dir", events().toUri().toString());
        settings.put("spark.ui.enabled", "false");
        // Bound to loopback addresses, as the nodes are.
        settings.put("spark.yarn.appMasterEnv.SPARK_LOCAL_IP", "127.0.0.1");
        settings.put("spark.executorEnv.SPARK_LOCAL_IP", "127.0.0.1");
        for (String process : List.of("spark.driver", "spark.executor")) {
            settings.put(process + ".extraJavaOptions", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1");
        }
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home", ""), "bin", "java").toString(), "-Xmx600m"));
        command.addAll(List.of(JavaModuleOptions.defaultModuleOptions().strip().split("\\s+", -1)));
        command.addAll(List.of("-cp", clientConfiguration + ":" + jars + "/*", "org.apache.spark.deploy.SparkSubmit"));
        settings.forEach((key, value) -> command.addAll(List.of("--conf", key + "=" + value)));
        command.addAll(List.of("--class", SleepingStages.class.getName(), program.toString()));
        List.of(stages, tasks, taskMillis).forEach(argument -> command.add(argument.toString()));
        Path log = home.resolve(name + ".log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.to(log.toFile()));
        builder.environment()
                .putAll(Map.of("HADOOP_CONF_DIR", clientConfiguration.toString(), "SPARK_LOCAL_IP", "127.0.0.1"));
        int code = Await.exit(
                "spark-submit", PATIENCE, builder.start(), () -> "its log ends with:\n" + LogTail.of(log, TAIL));
        if (code != 0) {
            // the log is deleted with the cluster
            throw new IOException(
                    "spark-submit ended with exit code " + code + ", and its log with:\n" + LogTail.of(log, TAIL));
        }
    }

    /** The events of an application that ended. */
    SparkEvents eventsOf(String application) throws IOException {
        try (Stream<Path> files = Files.list(events())) {
            Path log = files.filter(file -> String.valueOf(file.getFileName()).startsWith(application))
                    .findFirst()
                    .orElseThrow(() -> new IOException("there are no events of " + application));
            return SparkEvents.of(Files.readAllLines(log));
        }
    }
}
