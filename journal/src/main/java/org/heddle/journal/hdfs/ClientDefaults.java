// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal.hdfs;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * Settings of the HDFS client of a log, where the operator has set none: a leader should learn in seconds that it
 * cannot write, and should go on in a cluster of three DataNodes of which one has failed. Hadoop reads these times as
 * plain milliseconds.
 */
final class ClientDefaults {
    private static final Map<String, String> DEFAULTS = Map.of(
            "fs.automatic.close", // by Hadoop when the process ends, while its owner may still write
            "false",
            "dfs.client.socket-timeout",
            "10000",
            "dfs.client.block.write.replace-datanode-on-failure.min-replication",
            "2",
            "ipc.client.connect.timeout",
            "5000",
            "ipc.client.connect.max.retries.on.timeouts",
            "2",
            "ipc.client.connect.max.retries",
            "3",
            "ipc.client.rpc-timeout.ms",
            "20000");

    private ClientDefaults() {}

    static Configuration apply(Configuration conf) {
        conf.getClassByNameOrNull("org.apache.hadoop.hdfs.HdfsConfiguration"); // adds hdfs-site.xml
        Configuration own = new Configuration(conf);
        DEFAULTS.forEach((key, value) -> {
            if (!isSet(conf, key)) {
                own.set(key, value, "heddle");
            }
        });
        return own;
    }

    /** Whether a value comes from elsewhere than from Hadoop's own defaults. */
    private static boolean isSet(Configuration conf, String key) {
        String[] sources = conf.get(key) == null ? null : conf.getPropertySources(key);
        return sources != null && sources.length > 0 && !sources[0].endsWith("-default.xml");
    }
}
