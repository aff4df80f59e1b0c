// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.journal;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.heddle.benchmarks.experiment.Spread;
import org.heddle.journal.LogPoint;
import org.heddle.journal.WriteAheadLog;
import org.heddle.journal.hdfs.LogPlace;

/**
 * Prints the time of a commit to a log in HDFS, and of a bare hsync of as many bytes to the same HDFS, taken in turn.
 */
public final class CommitLatency {
    private static final int DATA_NODES = 3;
    private static final int WARM_UP = 500;
    private static final int ROUNDS = 500;
    private static final int HEAD = 24;
    private static final int RECORD = 512;

    /** Nothing is stored yet. */
    private static final WriteAheadLog.Replay EMPTY = new WriteAheadLog.Replay() {
        @Override
        public void snapshot(long number, byte[] state) {}

        @Override
        public void record(long number, byte[] body) {}
    };

    private CommitLatency() {}

    /** @param args directory for HDFS; repetitions */
    public static void main(String[] args) throws Exception {
        Configuration conf = new HdfsConfiguration();
        conf.setInt("dfs.replication", DATA_NODES);
        int repetitions = Integer.parseInt(args[1]);
        try (MiniDFSCluster cluster = new MiniDFSCluster.Builder(
                        conf, Path.of(args[0], "hdfs").toFile())
                .numDataNodes(DATA_NODES)
                .build()) {
            cluster.waitActive();
            for (int records : new int[] {1, 16, 256}) {
                measure(cluster, records, repetitions);
            }
        }
    }

    /** @param records of one commit, as those of several threads that share a sync */
    private static void measure(MiniDFSCluster cluster, int records, int repetitions) throws Exception {
        FileSystem fs = cluster.getFileSystem();
        List<byte[]> bodies = Collections.nCopies(records, new byte[RECORD - HEAD]);
        byte[] bytes = new byte[records * RECORD];
        try (WriteAheadLog log = new WriteAheadLog(
                        LogPlace.storage(cluster.getURI() + "/log-" + records, fs.getConf(), LogPoint.Watcher.NONE),
                        "the measurement",
                        modified -> true);
                FSDataOutputStream bare = fs.create(new org.apache.hadoop.fs.Path("/bare-" + records))) {
            log.open(EMPTY);
            turns(log, bodies, bare, bytes, WARM_UP);
            for (int i = 0; i < repetitions; i++) {
                double[][] millis = turns(log, bodies, bare, bytes, ROUNDS);
                double commit = Spread.percentile(millis[0], 0.5);
                double sync = Spread.percentile(millis[1], 0.5);
                System.out.println(
                        "| bytes | commit, ms | bare hsync, ms | x bare | commit, 99 %, ms | bare hsync, 99 %, ms |");
                System.out.println("|---|---|---|---|---|---|");
                System.out.printf(
                        Locale.ROOT,
                        "| %,d | %.3f | %.3f | %.3f | %.3f | %.3f |%n",
                        bytes.length,
                        commit,
                        sync,
                        commit / sync,
                        Spread.percentile(millis[0], 0.99),
                        Spread.percentile(millis[1], 0.99));
            }
        }
    }

    /** Times of commits and of bare syncs. */
    private static double[][] turns(
            WriteAheadLog log, List<byte[]> bodies, FSDataOutputStream bare, byte[] bytes, int rounds)
            throws Exception {
        double[][] millis = new double[2][rounds];
        for (int i = 0; i < rounds; i++) {
            long begin = System.nanoTime();
            log.append(bodies, true);
            long middle = System.nanoTime();
            bare.write(bytes);
            bare.hsync();
            long end = System.nanoTime();
            millis[0][i] = (middle - begin) / 1e6;
            millis[1][i] = (end - middle) / 1e6;
        }
        return millis;
    }
}
