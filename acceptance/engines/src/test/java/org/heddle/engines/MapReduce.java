// SPDX-License-Identifier: Apache-2.0
package org.heddle.engines;

import java.io.IOException;
import org.heddle.acceptance.Cluster;
import org.heddle.acceptance.Command;
import org.heddle.acceptance.HadoopHome;

/** {@code hadoop jar} of the stock MapReduce programs, with the LATE speculator. */
final class MapReduce {
    private static final String[] LATE = {
        "-Dyarn.app.mapreduce.am.job.speculator.class=org.heddle.late.mr.LateSpeculator",
        "-Dmapreduce.map.speculative=true",
        "-Dmapreduce.reduce.speculative=true"
    };

    private final Cluster cluster;

    MapReduce(Cluster cluster) {
        this.cluster = cluster;
    }

    /** One of the stock examples. */
    Command example(String user, String queue, String program) throws IOException {
        return jar(user, queue, cluster.home().examples().toString(), program);
    }

    /** Hadoop Streaming, whose mappers and reducers are shell commands. */
    Command streaming(String user, String queue) throws IOException {
        String jar = HadoopHome.only(cluster.home().path().resolve("share/hadoop/tools/lib"), "hadoop-streaming-")
                .toString();
        return jar(user, queue, jar);
    }

    private Command jar(String user, String queue, Object... first) {
        return cluster.client("hadoop", "jar")
                .and(first)
                .and((Object[]) LATE)
                .and("-Dmapreduce.job.queuename=" + queue)
                .as(user);
    }

    /** Writes a file into the cluster's file system. */
    void put(String text, String file) throws IOException {
        cluster.client("hadoop", "fs", "-mkdir", "-p", file.substring(0, file.lastIndexOf('/')))
                .run()
                .orFail();
        cluster.client("hadoop", "fs", "-put", "-", file).given(text).run().orFail();
    }
}
