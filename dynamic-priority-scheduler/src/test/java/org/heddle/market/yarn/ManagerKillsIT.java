// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobStatus;
import org.heddle.journal.LogPoint;
import org.heddle.journal.hdfs.LogPlace;
import org.heddle.market.DynamicPriorityScheduler;
import org.heddle.market.cli.client.MarketClient;
import org.heddle.market.epoch.ClosedEpoch;
import org.heddle.market.epoch.Funds;
import org.heddle.market.http.config.WebKeys;
import org.heddle.market.ledger.book.AuditChain;
import org.heddle.market.ledger.book.EpochRecord;
import org.heddle.market.ledger.book.LedgerState;
import org.heddle.market.ledger.book.LedgerStore;
import org.heddle.market.ledger.jdbc.DatabaseServer;
import org.heddle.market.ledger.jdbc.JdbcStore;
import org.heddle.market.ledger.journal.JournalStore;
import org.heddle.settings.command.CommandException;
import org.heddle.testkit.Await;
import org.heddle.testkit.ProcessCluster;
import org.heddle.testkit.jobs.HeldMaps;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The active ResourceManager of a pair ends by {@code kill -9}, sixty times with each place of the ledger, while a job
 * is billed every 300 ms and clients pay in, withdraw, transfer and set rates. Each acknowledged change is in the
 * ledger once, the time in which nobody leads is not billed, and the job ends well. {@code
 * -Dheddle.kills.of-managers=5} for less.
 */
@Tag("soak")
class ManagerKillsIT {
    private static final int KILLS = Integer.getInteger("heddle.kills.of-managers", 60);
    private static final int MOST_CHANGES = 40;
    private static final int CLIENTS = 2;
    private static final int KINDS_OF_CHANGES = 5;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String CLUSTER = "loom";
    private static final long CREDIT = 1_000_000_000;
    private static final int INTERVAL = 300;
    /** The ApplicationMaster and two maps. */
    private static final int SLOTS = 3;

    private static final int SLOT_MB = 512;
    private static final int DEPOSIT = 1_000_000;
    /** Credits for a slot and hour; thus one for a slot and second. */
    private static final int RATE = 3_600;

    /** Soon, so that a takeover takes seconds; one more takeover on a busy machine does no harm here. */
    private static final String SESSION_MILLIS = "3000";

    /** At least so long nobody leads: a session was renewed a third of its length ago at most. */
    private static final long LEADERLESS_MILLIS = 1_500;

    @TempDir
    Path directory;

    /** Where the ledger is. */
    private enum Place {
        DIRECTORY,
        HDFS,
        DATABASE
    }

    /** Changes an account of its own, each change until it is acknowledged. */
    private static final class Client {
        final String account;
        private final MarketClient market;
        private final AtomicInteger changes;
        private final AtomicBoolean ends;
        private final AtomicReference<String> lastRefusal;
        int balance;
        int transferred;

        Client(
                String account,
                MarketClient market,
                AtomicInteger changes,
                AtomicBoolean ends,
                AtomicReference<String> lastRefusal) {
            this.account = account;
            this.market = market;
            this.changes = changes;
            this.ends = ends;
            this.lastRefusal = lastRefusal;
        }

        void run() {
            for (int i = 0; !ends.get(); i++) {
                String key = account + "-" + i;
                switch (i % KINDS_OF_CHANGES) {
                    case 0, 1 -> {
                        change("POST", "accounts/" + account + "/deposits", Map.of("amount", "2"), key);
                        balance += 2;
                    }
                    case 2 -> {
                        change("POST", "accounts/" + account + "/withdrawals", Map.of("amount", "1"), key);
                        balance--;
                    }
                    case 3 -> {
                        change("POST", "transfers", Map.of("from", account, "to", "till", "amount", "1"), key);
                        balance--;
                        transferred++;
                    }
                    default -> change("PUT", "accounts/" + account + "/rate", Map.of("rate", "" + i), key);
                }
                changes.incrementAndGet();
            }
        }

        /** Repeats it with the same key, as the answer to an unknown outcome says. */
        private void change(String method, String path, Map<String, ?> body, String key) {
            Await.until(
                    "the acknowledgement of " + key,
                    PATIENCE,
                    () -> {
                        try {
                            market.change(method, path, body, key);
                            return true;
                        } catch (CommandException e) {
                            lastRefusal.set(e.getMessage());
                            return false;
                        }
                    },
                    lastRefusal::get);
        }
    }

    @Test
    void theLedgerIsInADirectory() throws Exception {
        killManagers(Place.DIRECTORY, null);
    }

    @Test
    void theLedgerIsInHdfs() throws Exception {
        killManagers(Place.HDFS, null);
    }

    @Test
    void theLedgerIsInPostgres() throws Exception {
        killManagersWithDatabase(DatabaseServer.Kind.POSTGRES);
    }

    @Test
    void theLedgerIsInMariaDb() throws Exception {
        killManagersWithDatabase(DatabaseServer.Kind.MARIADB);
    }

    private void killManagersWithDatabase(DatabaseServer.Kind kind) throws Exception {
        kind.require();
        try (DatabaseServer server = DatabaseServer.start(kind, Files.createDirectory(directory.resolve("database")))) {
            killManagers(Place.DATABASE, server);
        }
    }

    private void killManagers(Place place, @Nullable DatabaseServer server) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (ProcessCluster cluster = pair(place, server)) {
            AtomicInteger changes = new AtomicInteger();
            AtomicBoolean ends = new AtomicBoolean();
            AtomicReference<String> lastRefusal = new AtomicReference<>("none was refused");
            Client setUp =
                    new Client("alice", OperatorClient.of(cluster, CLUSTER, "rm1", "rm2"), changes, ends, lastRefusal);
            for (String account : List.of("alice", "till", "client0", "client1")) {
                setUp.change("POST", "accounts", Map.of("name", account), "open-" + account);
            }
            setUp.change("POST", "accounts/alice/deposits", Map.of("amount", "" + DEPOSIT), "deposit");
            setUp.change("PUT", "accounts/alice/rate", Map.of("rate", "" + RATE), "rate");
            Path held = cluster.home().resolve("held");
            Job job = submit(cluster, held);
            Await.until(
                    "the job's containers",
                    PATIENCE,
                    () -> cluster.get(cluster.managerUri(cluster.awaitActiveManager(), "/ws/v1/cluster/metrics"))
                            .contains("\"allocatedMB\":" + SLOTS * SLOT_MB + ","),
                    cluster::tails);

            List<Client> clients = new ArrayList<>();
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Client client = new Client(
                        "client" + i, OperatorClient.of(cluster, CLUSTER, "rm1", "rm2"), changes, ends, lastRefusal);
                clients.add(client);
                running.add(threads.submit(client::run));
            }
            SplittableRandom random = new SplittableRandom(19);
            for (int kill = 0; kill < KILLS; kill++) {
                int until = changes.get() + random.nextInt(1, MOST_CHANGES);
                Await.until(
                        "more changes after " + kill + " kills",
                        PATIENCE,
                        () -> changes.get() >= until,
                        () -> lastRefusal.get() + "\n" + cluster.tails());
                String active = cluster.awaitActiveManager();
                cluster.daemon(active).kill();
                cluster.startStopped();
            }
            HeldMaps.letAllGo(held);
            Await.until("the job to end", PATIENCE, job::isComplete, cluster::tails);
            assertThat(job.getStatus().getState()).isEqualTo(JobStatus.State.SUCCEEDED);
            ends.set(true);
            for (Future<?> each : running) {
                each.get();
            }
            cluster.daemon("rm1").kill();
            cluster.daemon("rm2").kill();
            check(store(place, server, cluster), clients, changes.get());
        } finally {
            threads.shutdownNow();
        }
    }

    private ProcessCluster pair(Place place, @Nullable DatabaseServer server) throws IOException {
        ProcessCluster.Builder plan = ProcessCluster.builder()
                .scheduler(DynamicPriorityScheduler.class.getName())
                .nodes(1, SLOTS * SLOT_MB, SLOTS)
                .property("hadoop.zk.timeout-ms", SESSION_MILLIS)
                .property("yarn.resourcemanager.zk-timeout-ms", SESSION_MILLIS)
                .property(WebKeys.MASTER_KEY.name(), VoucherMaker.MASTER)
                .property(MarketKeys.TRIAL.name(), "true")
                .property(MarketKeys.CLUSTER_ID.name(), CLUSTER)
                .property(MarketKeys.STANDARD_SLOT.name(), "memory-mb=" + SLOT_MB)
                .property(MarketKeys.INTERVAL_MS.name(), "" + INTERVAL);
        if (server != null) {
            plan.property(MarketKeys.STORE_JDBC_URL.name(), server.url())
                    .property(MarketKeys.STORE_JDBC_USER.name(), server.user());
        } else if (place == Place.HDFS) {
            plan.dataNodes(3).property(MarketKeys.STORE_DIRECTORY.name(), "hdfs:///heddle/market");
        } else {
            plan.property(MarketKeys.STORE_DIRECTORY.name(), ledger().toString());
        }
        return plan.start();
    }

    private Path ledger() {
        return directory.resolve("ledger");
    }

    private LedgerStore store(Place place, @Nullable DatabaseServer server, ProcessCluster cluster) {
        if (server != null) {
            return new JdbcStore(server.url(), server.user(), "", CLUSTER);
        }
        Configuration conf = cluster.configuration();
        String where = place == Place.HDFS ? conf.get("fs.defaultFS") + "/heddle/market" : ledger().toString();
        return new JournalStore(LogPlace.storage(where, conf, LogPoint.Watcher.NONE), CLUSTER);
    }

    private static Job submit(ProcessCluster cluster, Path held) throws Exception {
        Configuration conf = cluster.configuration();
        conf.set("mapreduce.job.queuename", "root.alice");
        conf.setInt("yarn.app.mapreduce.am.resource.mb", SLOT_MB);
        conf.setInt("mapreduce.map.memory.mb", SLOT_MB);
        Job job = HeldMaps.job(conf, "billed", SLOTS - 1, held);
        job.submit();
        return job;
    }

    private static void check(LedgerStore opened, List<Client> clients, int changes) throws IOException {
        try (LedgerStore store = opened) {
            LedgerState ledger = store.lead();
            ledger.check();
            int transferred = 0;
            for (Client client : clients) {
                assertThat(balance(ledger, client.account)).as(client.account).isEqualTo(client.balance * CREDIT);
                transferred += client.transferred;
            }
            assertThat(balance(ledger, "till")).isEqualTo(transferred * CREDIT);
            assertThat(balance(ledger, "alice") + ledger.revenue() + ledger.waiver())
                    .isEqualTo(DEPOSIT * CREDIT);
            assertThat(AuditChain.firstBroken(store.audit(0, Integer.MAX_VALUE)))
                    .isZero();
            List<EpochRecord> epochs = new ArrayList<>();
            store.past(0, transaction -> {
                EpochRecord epoch = transaction.epoch();
                if (epoch != null) {
                    epochs.add(epoch);
                }
            });
            long billed = checkEpochs(epochs);
            assertThat(billed).isEqualTo(ledger.revenue());
            System.out.printf(
                    Locale.ROOT,
                    "%s: ResourceManagers killed %d times, %d changes acknowledged, %d epochs, %.9f credits billed%n",
                    store.place(),
                    KILLS,
                    changes,
                    epochs.size(),
                    billed / (double) CREDIT);
        }
    }

    private static long balance(LedgerState ledger, String account) {
        Funds funds = Objects.requireNonNull(ledger.find(account));
        return funds.balanceNanos();
    }

    /** Returns the sum of the bills. */
    private static long checkEpochs(List<EpochRecord> epochs) {
        long sum = 0;
        int billed = 0;
        long millis = 0;
        for (int i = 0; i < epochs.size(); i++) {
            EpochRecord epoch = epochs.get(i);
            assertThat(epoch.number()).isEqualTo(i + 1L);
            millis += epoch.closed().millis();
            for (ClosedEpoch.Line bill : epoch.bills()) {
                // A credit for a slot and second, and the remainder of the bill before.
                assertThat(bill.chargeNanos())
                        .as(
                                "bill of epoch %d of %d ms",
                                epoch.number(), epoch.closed().millis())
                        .isLessThanOrEqualTo(SLOTS * epoch.closed().millis() * CREDIT / 1_000 + 1);
            }
            sum += epoch.revenue();
            billed += epoch.revenue() > 0 ? 1 : 0;
        }
        assertThat(billed).as("epochs with bills").isGreaterThan(KILLS);
        // An epoch's time is read from the clock after its bill has been computed, which may take long. So lengths are
        // compared, and not times: nothing is billed while nobody leads.
        EpochRecord last = epochs.get(epochs.size() - 1);
        long elapsed =
                last.startMillis() + last.closed().millis() - epochs.get(0).startMillis();
        assertThat(millis)
                .as("time in epochs of %d ms", elapsed)
                .isLessThanOrEqualTo(elapsed - KILLS * LEADERLESS_MILLIS);
        return sum;
    }
}
