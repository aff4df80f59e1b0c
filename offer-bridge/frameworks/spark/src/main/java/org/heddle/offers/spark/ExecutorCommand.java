// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark;

import java.util.ArrayList;
import java.util.List;
import org.apache.mesos.v1.Protos.CommandInfo;
import org.apache.mesos.v1.Protos.Environment;
import org.apache.spark.SparkConf;
import org.apache.spark.launcher.JavaModuleOptions;
import org.apache.spark.util.Utils;
import scala.Tuple2;
import scala.collection.JavaConverters;

/** Builds the command line, the environment and the files of executors. */
final class ExecutorCommand {
    private static final String MAIN = "org.apache.spark.executor.CoarseGrainedExecutorBackend";

    private final SparkConf conf;
    private final String home;
    private final List<String> files;
    private final int cores;
    private final long heapMb;

    /**
     * @param sparkHome Spark's home on the driver's machine, which executors use if no setting names another one; or
     *     empty
     * @param uris files for the working directory of each executor
     * @throws IllegalArgumentException if executors have no Spark
     */
    ExecutorCommand(SparkConf conf, String sparkHome, List<String> uris, int cores, long heapMb) {
        this.conf = conf;
        this.cores = cores;
        this.heapMb = heapMb;
        this.files = new ArrayList<>(uris);
        String archive = conf.get("spark.executor.uri", "");
        if (!archive.isEmpty()) {
            files.add(archive);
            // The archive has one directory, which has Spark's jars.
            this.home = "\"$(dirname \"$(ls -d \"$PWD\"/*/jars | head -n 1)\")\"";
        } else {
            String named = conf.get(OffersSettings.EXECUTOR_HOME, sparkHome);
            if (named.isEmpty()) {
                throw new IllegalArgumentException("Executors have no Spark: set " + OffersSettings.EXECUTOR_HOME
                        + " to a directory that all nodes have, or spark.executor.uri to an archive of Spark");
            }
            this.home = quoted(named);
        }
    }

    /** @param secret of spark.authenticate, or empty */
    CommandInfo build(
            ExecutorTask executor, String appId, String driver, String secret, List<Tuple2<String, String>> env) {
        CommandInfo.Builder command = CommandInfo.newBuilder().setShell(true).setValue(line(executor, appId, driver));
        Environment.Builder environment = Environment.newBuilder();
        env.forEach(variable -> add(environment, variable._1(), variable._2()));
        for (Tuple2<String, String> variable : conf.getAllWithPrefix("spark.executorEnv.")) {
            add(environment, variable._1(), variable._2());
        }
        if (!secret.isEmpty()) {
            add(environment, "_SPARK_AUTH_SECRET", secret);
        }
        files.forEach(file -> command.addUris(
                CommandInfo.URI.newBuilder().setValue(file).setExtract(true).setCache(false)));
        return command.setEnvironment(environment).build();
    }

    private static void add(Environment.Builder environment, String name, String value) {
        environment.addVariables(Environment.Variable.newBuilder().setName(name).setValue(value));
    }

    private String line(ExecutorTask executor, String appId, String driver) {
        String id = executor.id();
        List<String> words = new ArrayList<>();
        words.add("-Xmx" + heapMb + "m");
        words.addAll(split(JavaModuleOptions.defaultModuleOptions()));
        words.addAll(options("spark.executor.defaultJavaOptions", appId, id));
        words.addAll(options("spark.executor.extraJavaOptions", appId, id));
        for (Tuple2<String, String> setting : conf.getAll()) {
            if (SparkConf.isExecutorStartupConf(setting._1())) {
                words.add("-D" + setting._1() + "=" + setting._2());
            }
        }
        StringBuilder line =
                new StringBuilder("export SPARK_HOME=").append(home).append("; ");
        if (conf.contains("spark.executor.extraLibraryPath")) {
            line.append("export LD_LIBRARY_PATH=")
                    .append(quoted(conf.get("spark.executor.extraLibraryPath")))
                    .append("${LD_LIBRARY_PATH:+\":$LD_LIBRARY_PATH\"}; ");
        }
        line.append("exec \"${JAVA_HOME:+$JAVA_HOME/bin/}java\"");
        words.forEach(word -> line.append(' ').append(quoted(word)));
        line.append(" -cp ").append(classPath());
        for (String word : List.of(
                MAIN,
                "--driver-url",
                driver,
                "--executor-id",
                id,
                "--hostname",
                executor.host,
                "--cores",
                Integer.toString(cores),
                "--app-id",
                appId,
                "--resourceProfileId",
                "0")) {
            line.append(' ').append(quoted(word));
        }
        return line.toString();
    }

    private String classPath() {
        String extra = conf.get("spark.executor.extraClassPath", "");
        return (extra.isEmpty() ? "" : quoted(extra + ":"))
                + "\"$SPARK_HOME/conf:$SPARK_HOME/jars/*${SPARK_DIST_CLASSPATH:+:$SPARK_DIST_CLASSPATH}\"";
    }

    private List<String> options(String key, String appId, String executorId) {
        return split(Utils.substituteAppNExecIds(conf.get(key, ""), appId, executorId));
    }

    private static List<String> split(String options) {
        return JavaConverters.seqAsJavaList(Utils.splitCommandString(options));
    }

    /** One word for a shell, whatever it holds. */
    static String quoted(String word) {
        return word.matches("[-\\w./:=,@%+]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
