// SPDX-License-Identifier: Apache-2.0
package org.heddle.engines;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.heddle.acceptance.Cluster;
import org.heddle.acceptance.Command;

/**
 * DistributedShell 3.4.2 with its own Hadoop client, in its containers too: on Hadoop 3.5 it misses Jersey 1. It runs a
 * shell command in each of its containers.
 */
final class DistributedShell {
    private static final String MAIN = "org.apache.hadoop.yarn.applications.distributedshell.Client";

    private final Cluster cluster;
    private final Path jar;
    private final Path site;

    DistributedShell(Cluster cluster) throws IOException {
        this.cluster = cluster;
        String jars = Engines.jars("distributedshell");
        try (Stream<Path> all = Files.list(Path.of(jars).getParent())) {
            jar = all.filter(path -> path.getFileName().toString().contains("distributedshell"))
                    .findFirst()
                    .orElseThrow();
        }
        // Its client tells the master's container the class path that the client's own configuration says.
        site = Engines.siteWithClassPath(cluster, jars);
    }

    /** The client, which ends when the shell commands have. */
    Command run(String user, String name, String queue, String command, Object... arguments) throws IOException {
        return Engines.java(cluster, site + ":" + Engines.jars("distributedshell"), List.of(), MAIN)
                .as(user)
                .and("-jar", jar, "-appname", name, "-queue", queue, "-shell_command", command)
                .and("-master_memory", 320, "-container_memory", 256)
                .and(arguments);
    }
}
