// SPDX-License-Identifier: Apache-2.0
package org.heddle.engines;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.heddle.acceptance.Cluster;
import org.heddle.acceptance.Command;

/**
 * spark-submit of a job of ours, with Spark's own jars and its own Hadoop client; every driver and every executor has
 * 640 MB. The job's tasks are numbered from 1 and it finds their sum, see {@code SparkWork}.
 */
final class Spark {
    /** What Spark's own launch script opens for it on Java 17. */
    private static final List<String> OPENED = Engines.opened(
            "java.lang",
            "java.lang.invoke",
            "java.lang.reflect",
            "java.io",
            "java.net",
            "java.nio",
            "java.util",
            "java.util.concurrent",
            "java.util.concurrent.atomic",
            "sun.nio.ch",
            "sun.nio.cs",
            "sun.security.action",
            "sun.util.calendar");

    private final Cluster cluster;
    private final String name;
    private final Map<String, String> settings = new LinkedHashMap<>();

    Spark(Cluster cluster, String name, String queue, String deployMode) throws IOException {
        this.cluster = cluster;
        this.name = name;
        set("spark.master", "yarn");
        set("spark.submit.deployMode", deployMode);
        set("spark.app.name", name);
        set("spark.yarn.queue", queue);
        set("spark.yarn.jars", "local:" + Engines.jars("spark"));
        set("spark.dynamicAllocation.enabled", "true");
        set("spark.dynamicAllocation.shuffleTracking.enabled", "true");
        set("spark.dynamicAllocation.minExecutors", "0");
        set("spark.dynamicAllocation.executorIdleTimeout", "4s");
        // Executors with shuffle data are given back too, once the data is of no use.
        set("spark.dynamicAllocation.shuffleTracking.timeout", "4s");
        // Bound to loopback addresses, as the daemons of the tests are.
        set("spark.yarn.appMasterEnv.SPARK_LOCAL_IP", "127.0.0.1");
        set("spark.executorEnv.SPARK_LOCAL_IP", "127.0.0.1");
        for (String process : List.of("spark.driver", "spark.executor", "spark.yarn.am")) {
            set(process + ".memory", "512m");
            set(process + ".memoryOverhead", "128m");
        }
        for (String process : List.of("spark.driver", "spark.executor")) {
            set(process + ".extraJavaOptions", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1");
        }
        set("spark.ui.port", "0");
        set("spark.yarn.report.interval", "500ms");
        set("spark.task.maxFailures", "4");
    }

    Spark set(String setting, String value) {
        settings.put(setting, value);
        return this;
    }

    /** The client, which ends when the job does. */
    Command submit(String user, int tasks, int taskMillis, int idleMillis, String output) throws IOException {
        // A driver of 512 MB, in client mode.
        List<String> options = new ArrayList<>(List.of("-Xmx600m"));
        options.addAll(OPENED);
        Command command = Engines.java(
                        cluster,
                        cluster.site() + ":" + Engines.jars("spark"),
                        options,
                        "org.apache.spark.deploy.SparkSubmit")
                .as(user)
                .with("SPARK_LOCAL_IP", "127.0.0.1");
        settings.forEach((setting, value) -> command.and("--conf", setting + "=" + value));
        return command.and("--class", "org.heddle.engines.spark.SparkWork", Engines.job("spark"))
                .and(tasks, taskMillis, idleMillis, output);
    }

    /** What the job writes if no task was lost or counted twice. */
    static String result(int tasks) {
        return "sum=" + (long) tasks * (tasks + 1) / 2 + " groups=5 rows=10\n";
    }

    String name() {
        return name;
    }
}
