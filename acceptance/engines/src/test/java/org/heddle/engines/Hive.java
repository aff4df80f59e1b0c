// SPDX-License-Identifier: Apache-2.0
package org.heddle.engines;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.heddle.acceptance.Cluster;
import org.heddle.acceptance.CommandResult;

/**
 * Hive 4.1.0 on Tez 0.10.5, with the Hadoop 3.4.1 that it was built with, in its containers too. Its metastore is a
 * Derby database in the cluster's directory; each script is a process and a session of Hive.
 */
final class Hive {
    private static final List<String> OPENED = Engines.opened(
            "java.lang",
            "java.io",
            "java.net",
            "java.nio",
            "java.util",
            "java.util.concurrent",
            "java.util.concurrent.atomic",
            "java.util.regex",
            "java.time");

    private static final String MAIN = "org.heddle.engines.hive.HiveScript";

    private final Cluster cluster;
    private final Path site;

    Hive(Cluster cluster) throws IOException {
        this.cluster = cluster;
        site = Engines.siteWithClassPath(cluster, Engines.jars("hive"));
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put(
                "javax.jdo.option.ConnectionURL",
                "jdbc:derby:" + cluster.directory().resolve("metastore") + ";create=true");
        settings.put("datanucleus.schema.autoCreateAll", "true");
        settings.put("hive.metastore.schema.verification", "false");
        settings.put("hive.metastore.warehouse.dir", "/hive");
        settings.put("hive.metastore.warehouse.external.dir", "/hive");
        settings.put("hive.execution.engine", "tez");
        // The tables of locks and transactions are made by Hive's schematool only.
        settings.put("hive.support.concurrency", "false");
        // Else the session takes the queue and the tags that it knows before its first statement.
        settings.put("hive.cli.tez.initialize.session", "false");
        settings.put("hive.tez.container.size", "512");
        settings.put("hive.tez.java.opts", options("-Xmx300m"));
        settings.put("tez.am.resource.memory.mb", "512");
        settings.put("tez.am.launch.cmd-opts", options("-Xmx300m"));
        settings.put("tez.staging-dir", "/tez");
        // Tez and Hive are on the class path of the containers, see the site.
        settings.put("tez.ignore.lib.uris", "true");
        settings.put("tez.use.cluster.hadoop-libs", "true");
        settings.put("tez.runtime.io.sort.mb", "16");
        settings.put("tez.runtime.unordered.output.buffer.size-mb", "16");
        Files.writeString(site.resolve("hive-site.xml"), xml(settings));
    }

    private static String options(String heap) {
        return heap + " -XX:+UseSerialGC -XX:TieredStopAtLevel=1 " + String.join(" ", OPENED);
    }

    private static String xml(Map<String, String> settings) {
        return settings.entrySet().stream()
                .map(setting -> "<property><name>" + setting.getKey() + "</name><value>" + setting.getValue()
                        + "</value></property>")
                .collect(Collectors.joining("\n", "<configuration>\n", "\n</configuration>\n"));
    }

    /** Runs statements, each with a semicolon at its end, and returns the rows of the queries and the session's log. */
    CommandResult run(String user, String statements) throws IOException {
        return Engines.java(cluster, site + ":" + Engines.job("hive") + ":" + Engines.jars("hive"), OPENED, MAIN)
                .as(user)
                .given(statements)
                .in(Files.createDirectories(cluster.directory().resolve("logs").resolve("hive-" + user)))
                .run();
    }
}
