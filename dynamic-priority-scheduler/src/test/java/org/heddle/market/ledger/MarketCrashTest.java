// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.heddle.journal.LogPoint;
import org.heddle.market.ledger.book.AuditChain;
import org.heddle.market.ledger.book.EpochRecord;
import org.heddle.market.ledger.book.LedgerState;
import org.heddle.market.ledger.book.LedgerStore;
import org.heddle.market.ledger.jdbc.DatabaseServer;
import org.heddle.testkit.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Kills a process with a whole market with {@code kill -9}, at random and at its fail points, again and again with the
 * same ledger: no acknowledged credit is lost, none is charged twice, and the accounts add up to 0. A few times by
 * default; more often, and several times at every point, with {@code -Dheddle.kills=2000 -Dheddle.kills.each-point=3}
 * (profile {@code crash}).
 */
class MarketCrashTest {
    private static final int KILLS = Integer.getInteger("heddle.kills", 4);
    private static final long SEED = Long.getLong("heddle.kills.seed", 1);
    private static final int EACH_POINT = Integer.getInteger("heddle.kills.each-point", 0);
    private static final int SERVER_KILLS = Integer.getInteger("heddle.kills.of-servers", 1);
    /** The ledger grows with every child process, and each check reads all of it. */
    private static final int KILLS_PER_BOOKS = 40;

    private static final int MOST_POINTS_PASSED = 120;
    private static final int MOST_HEARD = 60;
    private static final int ACKS_AFTER_OUTAGE = 20;
    private static final int TOLD_AFTER = 100;
    private static final int KILLED = 137;
    private static final Set<LogPoint> OF_JOURNAL =
            EnumSet.complementOf(EnumSet.of(LogPoint.BEFORE_COMMIT, LogPoint.COMMITTED));
    private static final Set<LogPoint> OF_DATABASE = EnumSet.of(
            LogPoint.BEFORE_LEAD,
            LogPoint.LEAD_WRITTEN,
            LogPoint.LEAD_SYNCED,
            LogPoint.BEFORE_WRITE,
            LogPoint.HALF_WRITTEN,
            LogPoint.WRITTEN,
            LogPoint.BEFORE_COMMIT,
            LogPoint.COMMITTED,
            LogPoint.PRUNED);

    @TempDir
    Path temporary;

    /** What the children have been told is stored: request to amount. */
    private final Map<String, Long> acknowledged = new HashMap<>();

    private int kills;
    private int booksKills;
    private long everAcknowledged;

    @Test
    void journal() throws Exception {
        killAgainAndAgain(temporary.toString(), "", OF_JOURNAL);
    }

    @ParameterizedTest
    @EnumSource(DatabaseServer.Kind.class)
    void database(DatabaseServer.Kind kind) throws Exception {
        kind.require();
        try (DatabaseServer server = DatabaseServer.start(kind, temporary)) {
            killAgainAndAgain(server.url(), server.user(), OF_DATABASE);
            killBoth(server);
        }
    }

    /** The database dies and comes back while the same process goes on; then that dies too. */
    private void killBoth(DatabaseServer server) throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        acknowledged.clear();
        booksKills = 0;
        for (int kill = 0; kill < SERVER_KILLS; kill++) {
            int killAt = random.nextInt(1, MOST_HEARD);
            Process child = start(server.url(), server.user(), "outage", CrashingMarketProcess.ANY, 0, "served" + kill);
            int heard = hear(child, acks -> {
                if (acks == killAt) {
                    server.kill();
                    server.restart();
                } else if (acks == killAt + ACKS_AFTER_OUTAGE) {
                    child.toHandle().destroyForcibly();
                }
            });
            assertThat(heard)
                    .as("acknowledged, outage after %d", killAt)
                    .isGreaterThanOrEqualTo(killAt + ACKS_AFTER_OUTAGE);
            Await.exit("the market", Duration.ofSeconds(60), child);
            booksKills++;
            check(server.url(), server.user(), "outage");
        }
        if (EACH_POINT > 0) {
            System.out.println(server.url() + ": killed " + SERVER_KILLS + " times, nothing lost");
        }
    }

    private void killAgainAndAgain(String place, String user, Set<LogPoint> points) throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        Map<LogPoint, Integer> at = new EnumMap<>(LogPoint.class);
        for (int round = 0; round < EACH_POINT; round++) {
            for (LogPoint point : LogPoint.values()) {
                // Some points are passed once in a life, by those who take the lead.
                int times = round == 0 ? 1 : 1 + random.nextInt(4);
                if (kill(place, user, point.name(), times, Integer.MAX_VALUE) == KILLED) {
                    at.merge(point, 1, Integer::sum);
                }
            }
        }
        for (int kill = 0; kill < KILLS; kill++) {
            boolean atPoint = KILLS < MOST_HEARD && kill % 2 == 0;
            int ended = kill(
                    place,
                    user,
                    CrashingMarketProcess.ANY,
                    atPoint ? 1 + random.nextInt(MOST_POINTS_PASSED) : 0,
                    atPoint ? Integer.MAX_VALUE : random.nextInt(1, MOST_HEARD));
            assertThat(ended).as("how run %d ended", kills).isEqualTo(KILLED);
        }
        assertThat(everAcknowledged + acknowledged.size())
                .as("requests that were acknowledged")
                .isPositive();
        if (EACH_POINT > 0) {
            assertThat(at.keySet()).isEqualTo(points);
            System.out.println(place + ": " + KILLS + " kills at random, " + at + " at points, "
                    + (everAcknowledged + acknowledged.size()) + " requests acknowledged, none lost");
        }
    }

    /** One child process and its end; then the ledger is checked. */
    private int kill(String place, String user, String point, int times, int killAfter) throws Exception {
        if (booksKills == KILLS_PER_BOOKS) {
            booksKills = 0;
            everAcknowledged += acknowledged.size();
            acknowledged.clear();
        }
        String cluster = "dying-" + (kills - booksKills);
        int ended = child(place, user, cluster, point, times, "run" + kills, killAfter);
        kills++;
        booksKills++;
        check(place, user, cluster);
        if (kills % TOLD_AFTER == 0) {
            System.out.println(place + ": " + kills + " kills");
        }
        return ended;
    }

    private int child(String place, String user, String cluster, String point, int times, String run, int killAfter)
            throws Exception {
        Process child = start(place, user, cluster, point, times, run);
        // SIGKILL; what it has said before is still read.
        hear(child, acks -> {
            if (acks == killAfter) {
                child.toHandle().destroyForcibly();
            }
        });
        int code = Await.exit("the market", Duration.ofSeconds(60), child);
        assertThat(code).as("how %s ended", run).isIn(KILLED, CrashingMarketProcess.NEVER_CAME_BY);
        return code;
    }

    private static Process start(String place, String user, String cluster, String point, int times, String run)
            throws IOException {
        return new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xshare:auto",
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrashingMarketProcess.class.getName(),
                        place,
                        user,
                        cluster,
                        point,
                        String.valueOf(times),
                        run)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Something that may be broken off or fail. */
    private interface Blow {
        void after(int acknowledged) throws Exception;
    }

    /** Notes what a child acknowledges to its end; how often it did. */
    private int hear(Process child, Blow blow) throws Exception {
        int heard = 0;
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ", -1);
                if (words[0].equals("ack") && words.length == 4) {
                    acknowledged.put(words[1], Long.parseLong(words[3]));
                    blow.after(++heard);
                }
            }
        }
        return heard;
    }

    private void check(String place, String user, String cluster) throws Exception {
        try (LedgerStore store = CrashingMarketProcess.store(place, user, cluster, LogPoint.Watcher.NONE, null)) {
            LedgerState ledger = store.lead();
            ledger.check();
            for (String key : acknowledged.keySet()) {
                assertThat(ledger.request("child", key))
                        .as("request %s after kill %d", key, kills)
                        .isNotNull();
            }
            long told =
                    acknowledged.values().stream().mapToLong(Long::longValue).sum();
            // What was stored and not acknowledged any more is at most one deposit of each child.
            assertThat(-ledger.mint()).isBetween(told, told + booksKills * 1_000_000_000L);
            List<EpochRecord> epochs = StoreContract.epochs(store, 0);
            long charged = ledger.revenue() + ledger.waiver();
            if (!epochs.isEmpty()) {
                for (int i = 1; i < epochs.size(); i++) {
                    assertThat(epochs.get(i).number())
                            .isEqualTo(epochs.get(i - 1).number() + 1);
                }
                assertThat(epochs.get(epochs.size() - 1).number()).isEqualTo(ledger.epoch());
                if (epochs.get(0).number() == 1) {
                    assertThat(epochs.stream().mapToLong(EpochRecord::revenue).sum())
                            .isEqualTo(charged);
                }
            }
            assertThat(ledger.moneySupply()).isEqualTo(-ledger.mint() - charged);
            assertThat(AuditChain.firstBroken(store.audit(0, Integer.MAX_VALUE)))
                    .isZero();
        }
    }
}
