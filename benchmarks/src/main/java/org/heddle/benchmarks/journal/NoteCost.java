// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.journal;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.heddle.benchmarks.experiment.Spread;
import org.heddle.benchmarks.program.PrintedTable;
import org.heddle.journal.LogPoint;
import org.heddle.journal.LogStorage;
import org.heddle.journal.WriteAheadLog;
import org.heddle.journal.hdfs.LogPlace;

/**
 * What the note of acknowledged records costs: prints the time of a commit to a log, of the same commit by a log that
 * keeps no such note, and of a bare sync of as many bytes at the same place, on this machine's disk and in HDFS.
 */
public final class NoteCost {
    private static final int DATA_NODES = 3;
    private static final int ROUNDS = 500;
    /**
     * The three take turns of so many: what one has left for the file system to do is done in the first sync of the
     * next.
     */
    private static final int TURN = 10;

    private static final int HEAD = 24;
    private static final int RECORD = 512;
    private static final int[] RECORDS = {1, 16, 256};

    /** Nothing is stored yet. */
    private static final WriteAheadLog.Replay EMPTY = new WriteAheadLog.Replay() {
        @Override
        public void snapshot(long number, byte[] state) {}

        @Override
        public void record(long number, byte[] body) {}
    };

    /** Writes so many bytes, and returns when they are on disks. */
    private interface Commit {
        void run() throws IOException;
    }

    private NoteCost() {}

    /** @param args directory for HDFS and for the logs on this machine; repetitions */
    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        int repetitions = Integer.parseInt(args[1]);
        for (int records : RECORDS) {
            onDisk(Files.createDirectories(directory.resolve("disk-" + records)), records, repetitions);
        }
        Configuration conf = new HdfsConfiguration();
        conf.setInt("dfs.replication", DATA_NODES);
        try (MiniDFSCluster cluster = new MiniDFSCluster.Builder(
                        conf, directory.resolve("hdfs").toFile())
                .numDataNodes(DATA_NODES)
                .build()) {
            cluster.waitActive();
            for (int records : RECORDS) {
                inHdfs(cluster, records, repetitions);
            }
        }
    }

    private static void onDisk(Path directory, int records, int repetitions) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(records * RECORD);
        try (FileChannel bare =
                FileChannel.open(directory.resolve("bare"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            Commit sync = () -> {
                bytes.clear();
                while (bytes.hasRemaining()) {
                    bare.write(bytes);
                }
                bare.force(false);
            };
            measure("disk", directory.toString(), new Configuration(), sync, records, repetitions);
        }
    }

    private static void inHdfs(MiniDFSCluster cluster, int records, int repetitions) throws IOException {
        String directory = cluster.getURI() + "/logs-" + records;
        byte[] bytes = new byte[records * RECORD];
        try (FSDataOutputStream bare =
                cluster.getFileSystem().create(new org.apache.hadoop.fs.Path(directory + "/bare"))) {
            Commit sync = () -> {
                bare.write(bytes);
                bare.hsync();
            };
            measure("HDFS", directory, cluster.getFileSystem().getConf(), sync, records, repetitions);
        }
    }

    /** @param records of one commit, as those of several threads that share a sync */
    private static void measure(
            String where, String directory, Configuration conf, Commit sync, int records, int repetitions)
            throws IOException {
        List<byte[]> bodies = Collections.nCopies(records, new byte[RECORD - HEAD]);
        LogStorage usual = LogPlace.storage(directory + "/usual", conf, LogPoint.Watcher.NONE);
        LogStorage other = LogPlace.storage(directory + "/without-note", conf, LogPoint.Watcher.NONE);
        try (WriteAheadLog log = open(usual);
                WriteAheadLog withoutNote = open(withoutNote(other))) {
            List<Commit> commits =
                    List.of(() -> log.append(bodies, true), () -> withoutNote.append(bodies, true), sync);
            turns(commits);
            for (int i = 0; i < repetitions; i++) {
                double[][] millis = turns(commits);
                double commit = Spread.percentile(millis[0], 0.5);
                double bare = Spread.percentile(millis[2], 0.5);
                Map<String, Double> figures = new LinkedHashMap<>();
                figures.put("commit, ms", commit);
                figures.put("bare sync, ms", bare);
                figures.put("x bare", commit / bare);
                figures.put("x without note", commit / Spread.percentile(millis[1], 0.5));
                figures.put("commit, 99 %, ms", Spread.percentile(millis[0], 0.99));
                figures.put("bare sync, 99 %, ms", Spread.percentile(millis[2], 0.99));
                String name = String.format(Locale.ROOT, "%s: %,d", where, records * RECORD);
                System.out.println(PrintedTable.of("bytes", name, figures));
            }
        }
    }

    private static WriteAheadLog open(LogStorage storage) throws IOException {
        WriteAheadLog log = new WriteAheadLog(storage, "the measurement", modified -> true);
        log.open(EMPTY);
        return log;
    }

    /** The same storage, but the only work that a log leaves for later, its note, is not done. */
    private static LogStorage withoutNote(LogStorage storage) {
        return (LogStorage) Proxy.newProxyInstance(
                LogStorage.class.getClassLoader(), new Class<?>[] {LogStorage.class}, (itself, method, arguments) -> {
                    if (method.getName().equals("soon")) {
                        return null;
                    }
                    try {
                        return method.invoke(storage, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** The times of each kind of commit. */
    private static double[][] turns(List<Commit> commits) throws IOException {
        double[][] millis = new double[commits.size()][ROUNDS];
        for (int turn = 0; turn < ROUNDS; turn += TURN) {
            for (int kind = 0; kind < commits.size(); kind++) {
                for (int i = turn; i < turn + TURN; i++) {
                    long begin = System.nanoTime();
                    commits.get(kind).run();
                    millis[kind][i] = (System.nanoTime() - begin) / 1e6;
                }
            }
        }
        return millis;
    }
}
