// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.heddle.journal.FencedException;
import org.heddle.journal.LogContent;
import org.heddle.journal.LogPoint;
import org.heddle.journal.LogStorage;
import org.heddle.journal.UnavailableException;
import org.heddle.journal.WriteAheadLog;
import org.heddle.testkit.Await;
import org.heddle.testkit.logs.LogCapture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** DataNodes are lost one after the other while the log's file is open, also sooner than HDFS or the log can react. */
@Tag("long-3")
class LostDataNodesIT {
    private static final int ROUNDS = 6;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    static Path home;

    private static DataNodes dataNodes;

    @BeforeAll
    static void start() throws IOException {
        dataNodes = new DataNodes(home, 3);
    }

    @AfterAll
    static void stop() {
        dataNodes.close();
    }

    @AfterEach
    void restart() throws IOException {
        dataNodes.restartKilled();
    }

    private static LogStorage storage(String name) {
        return LogPlace.storage(dataNodes.uri() + "/lost/" + name, dataNodes.configuration(), LogPoint.Watcher.NONE);
    }

    private static WriteAheadLog log(String name) {
        return new WriteAheadLog(storage(name), "the test", modified -> true);
    }

    private static void append(WriteAheadLog log) throws IOException {
        log.append(List.of(LogContent.body((int) log.last() + 1)), true);
    }

    private static void assertStored(String name, long last) throws IOException {
        try (WriteAheadLog log = log(name)) {
            assertThat(LogContent.open(log)).isEqualTo(LogContent.upTo((int) last));
        }
    }

    private static long files(String name) throws IOException {
        try (LogStorage storage = storage(name)) {
            return storage.list().stream()
                    .filter(file -> file.name().startsWith("log-"))
                    .count();
        }
    }

    /** Each is back before the next one is lost, and the log has noticed it. No record fails. */
    @Test
    void aFileThatLostACopyIsReplacedWhenTheDataNodeIsBack() throws Exception {
        long last;
        try (WriteAheadLog log = log("replaced")) {
            LogContent.open(log);
            append(log);
            for (int round = 0; round < 4; round++) {
                dataNodes.kill(round % 3);
                append(log);
                dataNodes.restart(round % 3);
                long before = files("replaced");
                Await.until("a new file", PATIENCE, () -> {
                    append(log);
                    return files("replaced") > before;
                });
            }
            last = log.last();
            assertThat(files("replaced")).isEqualTo(5);
        }
        assertStored("replaced", last);
    }

    /** The second one is lost before the log could notice that the first one was back. */
    @Test
    void aLogWhoseFileIsLostGoesOnWhenItIsOpenedAgain() throws Exception {
        long last;
        try (WriteAheadLog log = log("again")) {
            LogContent.open(log);
            append(log);
            dataNodes.kill(0);
            append(log);
            dataNodes.restart(0);
            dataNodes.kill(1);
            appendOrOpenAgain(log);
            append(log);
            last = log.last();
        }
        assertStored("again", last);
    }

    /** As the bridge and the market do. */
    private static void appendOrOpenAgain(WriteAheadLog log) throws IOException {
        long before = log.last();
        try {
            append(log);
        } catch (FencedException e) {
            throw e;
        } catch (IOException e) {
            long stored = log.open(new Ignored());
            assertThat(stored).isBetween(before, before + 1);
        }
    }

    /** One after the other is killed as soon as the one before is back, while a leader writes. */
    @Test
    void dataNodesComeAndGo() throws Exception {
        AtomicBoolean enough = new AtomicBoolean();
        try (WriteAheadLog log = log("come-and-go")) {
            LogContent.open(log);
            CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
                try {
                    while (!enough.get()) {
                        appendOrOpenAgain(log);
                    }
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            for (int round = 0; round < ROUNDS && !writing.isDone(); round++) {
                dataNodes.kill(round % 3);
                dataNodes.restart(round % 3);
            }
            enough.set(true);
            Await.result("the writer", Duration.ofMinutes(3), writing);
            append(log);
            assertStored("come-and-go", log.last());
        }
    }

    /** All copies of what the leader wrote are away for a time. */
    @Test
    void aTakeoverWaitsForDataNodes() throws Exception {
        try (WriteAheadLog old = log("takeover")) {
            LogContent.open(old);
            append(old);
            old.snapshot(LogContent.state(1));
            append(old);
            dataNodes.kill(0);
            append(old);
            for (int node = 1; node < 3; node++) {
                dataNodes.kill(node);
            }
            dataNodes.restart(0); // it does not have all of the file that was open
            try (LogCapture waits = LogCapture.of("org.heddle.journal");
                    WriteAheadLog next = log("takeover")) {
                CompletableFuture<List<String>> opened = CompletableFuture.supplyAsync(() -> {
                    try {
                        return LogContent.open(next);
                    } catch (IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                });
                Await.until(
                        "the new leader to say that it waits",
                        PATIENCE,
                        () -> opened.isDone() || waits.contains("Waits up to"));
                assertThat(opened).isNotDone();
                dataNodes.restart(1);
                dataNodes.restart(2);
                assertThat(Await.result("the new leader", PATIENCE, opened)).isEqualTo(LogContent.upTo(3));
                append(next);
            }
        }
        assertStored("takeover", 4);
    }

    /**
     * Records need no NameNode, but a DataNode that is lost does. When it is back, the log that is opened again goes
     * on.
     */
    @Test
    void aNameNodeThatIsAwayIsUnavailableUntilItIsBack() throws Exception {
        long last;
        try (WriteAheadLog log = log("name-node")) {
            LogContent.open(log);
            append(log);
            dataNodes.stopNameNode();
            append(log);
            dataNodes.kill(0);
            assertThatThrownBy(() -> append(log)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> log.open(new Ignored()))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("look whether its NameNode runs");
            dataNodes.startNameNode();
            Await.until("the log to be opened again", PATIENCE, () -> {
                try {
                    return log.open(new Ignored()) >= 2;
                } catch (UnavailableException e) {
                    return false; // safe mode
                }
            });
            append(log);
            last = log.last();
        }
        assertStored("name-node", last);
    }

    private static final class Ignored implements WriteAheadLog.Replay {
        @Override
        public void snapshot(long number, byte[] state) {}

        @Override
        public void record(long number, byte[] body) {}
    }
}
