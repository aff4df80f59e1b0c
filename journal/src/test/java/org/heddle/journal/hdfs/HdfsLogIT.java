// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.security.UserGroupInformation;
import org.heddle.journal.FencedException;
import org.heddle.journal.LogContent;
import org.heddle.journal.LogPoint;
import org.heddle.journal.LogStorage;
import org.heddle.journal.WriteAheadLog;
import org.heddle.testkit.Await;
import org.heddle.testkit.ProcessDaemon;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log on a real HDFS with three DataNodes in processes of their own. */
class HdfsLogIT {
    private static final int KILLS = Integer.getInteger("heddle.journal.kills", 5);
    /** Two where few are killed: each takes three seconds. */
    private static final int RELIEFS = KILLS > 5 ? KILLS : 2;

    /** Logs whose leaders are killed at the same time, because most of a takeover is waiting. */
    private static final int LOGS = Integer.getInteger("heddle.journal.logs", 1);
    /** After so many kills of its leader, the first log's HDFS loses a DataNode too. */
    private static final int KILLS_FOR_A_DATANODE = 4;

    private static final int MOST_ACKS = 120;

    @TempDir
    static Path home;

    private static DataNodes dataNodes;
    private static Configuration conf;

    @BeforeAll
    static void start() throws IOException {
        dataNodes = new DataNodes(home, 3);
        conf = dataNodes.configuration();
    }

    @AfterAll
    static void stop() {
        dataNodes.close();
    }

    private static String directory(String name) {
        return dataNodes.uri() + "/heddle/" + name;
    }

    private static WriteAheadLog log(String name) {
        return LeaderProcess.log(directory(name), conf);
    }

    private static List<String> stored(String name) throws IOException {
        try (WriteAheadLog log = log(name)) {
            return LogContent.open(log);
        }
    }

    /** A leader in a process of its own. */
    private static final class Leader implements AutoCloseable {
        private final Process process;
        private final BufferedReader said;

        Leader(String name) throws IOException {
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx128m",
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-Djava.net.preferIPv4Stack=true",
                            "-cp",
                            System.getProperty("java.class.path"),
                            LeaderProcess.class.getName(),
                            directory(name))
                    .redirectError(home.resolve("leader.log").toFile())
                    .start();
            said = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        }

        /** The number in the next line that begins with this word. */
        int next(String word) throws IOException {
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                if (line.startsWith(word + " ")) {
                    return Integer.parseInt(line.substring(word.length() + 1));
                }
            }
            throw new AssertionError("the leader ended; see " + home.resolve("leader.log"));
        }

        /** The number of the last acknowledged record that it told. */
        int kill() throws IOException {
            // Process.destroyForcibly would also close the pipe, with what it told and nobody has read yet.
            process.toHandle().destroyForcibly();
            Await.exit("the leader", Duration.ofSeconds(30), process);
            int last = 0;
            try {
                while (true) {
                    last = next("ack");
                }
            } catch (AssertionError | IOException e) {
                return last;
            }
        }

        void signal(String name) throws IOException {
            ProcessDaemon.signal(process, name);
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    /** Leaders end by {@code kill -9}, and now and then a DataNode does so while one writes. */
    @Tag("long-2")
    @Test
    void killedLeadersLoseNothingThatTheyAcknowledged() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(LOGS);
        try {
            List<Future<Integer>> logs = new ArrayList<>();
            for (int i = 0; i < LOGS; i++) {
                int number = i;
                logs.add(threads.submit(() -> killLeaders(number, KILLS / LOGS)));
            }
            int acknowledged = 0;
            for (Future<Integer> log : logs) {
                acknowledged += log.get();
            }
            System.out.printf(
                    "log in HDFS: leaders killed %d times, DataNodes %d times, %d acknowledged records, none lost%n",
                    KILLS / LOGS * LOGS, KILLS / LOGS / KILLS_FOR_A_DATANODE, acknowledged);
        } finally {
            threads.shutdownNow();
        }
    }

    /** Returns how many records its leaders acknowledged. */
    private static int killLeaders(int number, int kills) throws Exception {
        String name = "killed" + number;
        SplittableRandom random = new SplittableRandom(4 + number);
        int acknowledged = 0;
        for (int kill = 1; kill <= kills; kill++) {
            try (Leader leader = new Leader(name)) {
                int opened = leader.next("opened");
                assertThat(opened).isBetween(acknowledged, acknowledged + 1);
                acknowledged = opened;
                boolean losesDataNode = number == 0 && kill % KILLS_FOR_A_DATANODE == 0;
                int dataNode = random.nextInt(3);
                if (losesDataNode) {
                    acknowledged = leader.next("ack");
                    dataNodes.kill(dataNode);
                }
                for (int heard = random.nextInt(MOST_ACKS); heard > 0; heard--) {
                    acknowledged = leader.next("ack");
                }
                acknowledged = Math.max(acknowledged, leader.kill());
                if (losesDataNode) {
                    dataNodes.restart(dataNode);
                }
            }
        }
        List<String> stored = stored(name);
        assertThat(stored.size()).isBetween(acknowledged, acknowledged + 1);
        assertThat(stored).isEqualTo(LogContent.upTo(stored.size()));
        return acknowledged;
    }

    /** A leader is stopped in the middle of its work, another one takes over, and the first one wakes. */
    @Test
    void aLeaderThatWakesAfterATakeoverCannotWrite() throws Exception {
        try (Leader paused = new Leader("paused")) {
            paused.next("opened");
            for (int i = 0; i < 20; i++) {
                paused.next("ack");
            }
            paused.signal("STOP");
            int last;
            try (WriteAheadLog log = log("paused")) {
                List<String> found = LogContent.open(log);
                last = found.size();
                assertThat(found).isEqualTo(LogContent.upTo(last));
                log.append(List.of(LogContent.body(last + 1), LogContent.body(last + 2)), true);
                paused.signal("CONT");
                String line = paused.said.readLine();
                for (; line != null && !line.startsWith("fenced "); line = paused.said.readLine()) {
                    if (line.startsWith("ack ")) {
                        assertThat(Integer.parseInt(line.substring(4)))
                                .as("acknowledged before it was stopped")
                                .isLessThanOrEqualTo(last);
                    }
                }
                assertThat(line).isNotNull().contains("has another leader now");
                Await.exit("the fenced leader", Duration.ofSeconds(30), paused.process);
                log.append(List.of(LogContent.body(last + 3)), true);
            }
            assertThat(stored("paused")).isEqualTo(LogContent.upTo(last + 3));
        }
    }

    @Test
    void aFencedLeaderInTheSameProcessCannotWriteOrOpen() throws Exception {
        try (WriteAheadLog first = log("fenced");
                WriteAheadLog second = log("fenced")) {
            LogContent.open(first);
            first.append(List.of(LogContent.body(1)), true);
            LogContent.open(second);
            second.append(List.of(LogContent.body(2)), true);
            assertThatThrownBy(() -> first.append(List.of(LogContent.body(2)), true))
                    .isInstanceOf(FencedException.class);
            assertThatThrownBy(() -> LogContent.open(first)).isInstanceOf(FencedException.class);
            assertThatThrownBy(() -> first.snapshot(LogContent.state(1))).isInstanceOf(IOException.class);
        }
        assertThat(stored("fenced")).isEqualTo(LogContent.upTo(2));
    }

    /** Another one takes over while the leader writes, and may meet a DataNode in the middle of a sync. */
    @Test
    void aLeaderThatWritesIsRelieved() throws Exception {
        for (int relief = 0; relief < RELIEFS; relief++) {
            try (Leader writing = new Leader("relieved")) {
                int acknowledged = 0;
                for (int i = 0; i < 20; i++) {
                    acknowledged = writing.next("ack");
                }
                List<String> found = stored("relieved");
                assertThat(found).hasSizeGreaterThanOrEqualTo(acknowledged).isEqualTo(LogContent.upTo(found.size()));
            }
        }
    }

    @Test
    void theClientGoesOnWithTwoOfThreeDataNodes() throws Exception {
        try (WriteAheadLog log = log("nodes")) {
            LogContent.open(log);
            log.append(List.of(LogContent.body(1)), true);
            dataNodes.kill(0);
            for (int i = 2; i <= 5; i++) {
                log.append(List.of(LogContent.body(i)), true);
            }
            log.snapshot(LogContent.state(5));
            log.append(List.of(LogContent.body(6)), true);
            dataNodes.restart(0);
        }
        assertThat(stored("nodes")).isEqualTo(LogContent.upTo(6));
    }

    /** How an operator moves a log: {@code hdfs dfs -put} of all files. */
    @Test
    void aLogOfThisMachineThatWasCopiedGoesOn() throws Exception {
        Path local = home.resolve("local");
        try (WriteAheadLog log = LeaderProcess.log(local.toString(), conf)) {
            LogContent.open(log);
            log.append(List.of(LogContent.body(1), LogContent.body(2)), true);
            log.snapshot(LogContent.state(2));
            log.append(List.of(LogContent.body(3)), true);
        }
        dataNodes
                .fileSystem()
                .copyFromLocalFile(
                        new org.apache.hadoop.fs.Path(local.toUri()),
                        new org.apache.hadoop.fs.Path(directory("copied")));
        try (WriteAheadLog log = log("copied")) {
            assertThat(LogContent.open(log)).isEqualTo(LogContent.upTo(3));
            log.append(List.of(LogContent.body(4)), true);
        }
        assertThat(stored("copied")).isEqualTo(LogContent.upTo(4));
    }

    /** With the commands of an administrator. */
    @Test
    void aFileThatIsDeletedOrCutIsMissed() throws Exception {
        String name = "lost";
        try (WriteAheadLog log = log(name)) {
            LogContent.open(log);
            log.append(List.of(LogContent.body(1), LogContent.body(2)), true);
            log.append(List.of(LogContent.body(3)), true);
        }
        org.apache.hadoop.fs.Path file =
                new org.apache.hadoop.fs.Path(directory(name), "log-0000000001-0000000000000000001");
        FsShell shell = new FsShell(conf);
        long length = dataNodes.fileSystem().getFileStatus(file).getLen();
        assertThat(shell.run(new String[] {"-truncate", "-w", String.valueOf(length - 1), file.toString()}))
                .isZero();
        assertThatThrownBy(() -> stored(name)).hasMessageContaining("has lost its records 3 to 3: ");
        assertThat(shell.run(new String[] {"-rm", "-skipTrash", file.toString()}))
                .isZero();
        assertThatThrownBy(() -> stored(name))
                .hasMessageContaining("has lost its records 1 to 3: ")
                .hasMessageContaining(directory(name) + "/ends-at-0 ");
        assertThat(shell.run(new String[] {"-touchz", directory(name) + "/ends-at-0"}))
                .isZero();
        assertThat(stored(name)).isEmpty();
    }

    @Test
    void aSmallFileIsStoredOnceAndReadByOthers() throws Exception {
        try (LogStorage one = LogPlace.storage(directory("small"), conf, LogPoint.Watcher.NONE);
                LogStorage two = LogPlace.storage(directory("small"), conf, LogPoint.Watcher.NONE)) {
            assertThat(one.list()).isEmpty();
            assertThat(one.putIfAbsent("key", new byte[] {1})).isTrue();
            assertThat(two.putIfAbsent("key", new byte[] {2})).isFalse();
            assertThat(two.read("key").readAllBytes()).containsExactly(1);
            assertThat(two.list()).extracting(LogStorage.StoredFile::name).containsExactly("key");
        }
    }

    @Test
    void eachReasonForAFailureIsOneSentence() throws Exception {
        dataNodes
                .fileSystem()
                .create(new org.apache.hadoop.fs.Path("/heddle/file"))
                .close();
        assertSentence(directory("file"), "is not a directory");
        assertSentence("hdfs://127.0.0.1:1/heddle", "cannot be reached");
        assertThat(dataNodes.fileSystem().setSafeMode(SafeModeAction.ENTER)).isTrue();
        assertSentence(directory("safe"), "HDFS is in safe mode");
        assertThat(dataNodes.fileSystem().setSafeMode(SafeModeAction.LEAVE)).isFalse();
        stored("own");
        UserGroupInformation.createRemoteUser("stranger").doAs((PrivilegedExceptionAction<Void>) () -> {
            assertSentence(directory("own"), "may not be used");
            return null;
        });
        assertSentence("unheard-of://host/heddle", "is in a file system which this Hadoop does not know");
        assertSentence("http://127.0.0.1/heddle", "cannot recover leases");
        for (String bad : List.of("hdfs://a b/c", "hdfs://nn", "hdfs://nn/", "file://host/c")) {
            assertThatThrownBy(() -> LogPlace.storage(bad, conf, LogPoint.Watcher.NONE))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(bad)
                    .hasMessageContaining("want a path, or hdfs://NAMENODE/PATH");
        }
    }

    private static void assertSentence(String place, String words) throws IOException {
        try (WriteAheadLog log = LeaderProcess.log(place, conf)) {
            assertThatThrownBy(() -> LogContent.open(log))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(place)
                    .hasMessageContaining(words)
                    .hasMessageNotContaining("\n");
        }
    }
}
