// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.heddle.testkit.SystemPackage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a process with a whole market with {@code kill -9}, at random and at its write points, again and again on the same
 * books: no acknowledged credit is lost, none is charged twice, and the books add up to 0. A few times here; {@code
 * -Dheddle.kills=2000} (profile {@code crash}) for as many as one likes.
 */
class KilledMarketTest {
    private static final int KILLS = Integer.getInteger("heddle.kills", 4);

    @TempDir
    Path temporary;

    /** What the children have been told is stored: request to amount. */
    private final Map<String, Long> acknowledged = new HashMap<>();

    @Test
    void journal() throws Exception {
        killAgainAndAgain(temporary.resolve("books").toString(), "");
    }

    @Test
    void postgres() throws Exception {
        SystemPackage.require("pg_ctlcluster");
        try (DatabaseServer server = DatabaseServer.postgres(temporary)) {
            killAgainAndAgain(server.postgresUrl(), "heddle");
        }
    }

    @Test
    void mariaDb() throws Exception {
        SystemPackage.require("mariadbd");
        try (DatabaseServer server = DatabaseServer.mariaDb(temporary)) {
            killAgainAndAgain(server.mariaDbUrl(), "root");
        }
    }

    private void killAgainAndAgain(String place, String user) throws Exception {
        SplittableRandom random = new SplittableRandom(KILLS);
        for (int kill = 0; kill < KILLS; kill++) {
            boolean atPoint = kill % 2 == 0;
            int haltAt = atPoint ? 1 + random.nextInt(120) : 0;
            child(place, user, haltAt, "run" + kill, atPoint ? Integer.MAX_VALUE : random.nextInt(1, 60));
            check(place, user, kill);
        }
        assertThat(acknowledged).as("requests that were acknowledged").isNotEmpty();
    }

    private void child(String place, String user, int haltAt, String run, int killAfter)
            throws IOException, InterruptedException {
        Process child = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xshare:auto",
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        DyingMarket.class.getName(),
                        place,
                        user,
                        String.valueOf(haltAt),
                        run)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        int heard = 0;
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ", -1);
                if (words[0].equals("ack") && words.length == 4) {
                    acknowledged.put(words[1], Long.parseLong(words[3]));
                    heard++;
                }
                if (heard == killAfter) {
                    child.toHandle().destroyForcibly(); // SIGKILL; what it has said before is still read
                }
            }
        }
        assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(child.exitValue()).as("how %s ended", run).isEqualTo(137);
    }

    private void check(String place, String user, int kill) throws IOException {
        try (LedgerStore store = DyingMarket.store(place, user, WritePoint.Watcher.NONE)) {
            Book book = store.lead();
            book.check();
            for (String key : acknowledged.keySet()) {
                assertThat(book.request("child", key))
                        .as("request %s after kill %d", key, kill)
                        .isNotNull();
            }
            long told =
                    acknowledged.values().stream().mapToLong(Long::longValue).sum();
            // What was stored and not acknowledged any more is at most one deposit of each child.
            assertThat(-book.mint()).isBetween(told, told + (kill + 1) * 1_000_000_000L);
            long[] charged = {0};
            long[] last = {0};
            store.epochs(0, epoch -> {
                assertThat(epoch.number()).isEqualTo(last[0] + 1);
                last[0] = epoch.number();
                charged[0] += epoch.revenue();
            });
            assertThat(last[0]).isEqualTo(book.epoch());
            assertThat(charged[0]).isEqualTo(book.revenue() + book.waiver());
            assertThat(book.moneySupply()).isEqualTo(-book.mint() - charged[0]);
            assertThat(Audit.firstBroken(store.audit(0, Integer.MAX_VALUE))).isZero();
        }
    }
}
