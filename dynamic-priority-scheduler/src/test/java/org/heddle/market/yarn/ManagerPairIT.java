// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.hadoop.security.UserGroupInformation;
import org.heddle.journal.LogPoint;
import org.heddle.journal.hdfs.LogPlace;
import org.heddle.market.DynamicPriorityScheduler;
import org.heddle.market.cli.client.MarketClient;
import org.heddle.market.http.config.WebKeys;
import org.heddle.market.ledger.book.LedgerStore;
import org.heddle.market.ledger.journal.JournalStore;
import org.heddle.settings.command.CommandException;
import org.heddle.testkit.Await;
import org.heddle.testkit.KerberosRealm;
import org.heddle.testkit.ProcessCluster;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two ResourceManagers without a database: the ledger is in an HDFS with three DataNodes, and all of them are
 * processes. While a client pays without a pause, two DataNodes and the active ResourceManager end by {@code kill -9},
 * and the next active one is stopped and wakes when it has been replaced. Each payment is in the ledger once.
 */
@Tag("soak")
class ManagerPairIT {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String CLUSTER = "loom";
    private static final String ACCOUNT = "accounts/alice";
    private static final int LATE = 4;
    private static final int TICKET_SECONDS = 30;

    /** Pays one credit after the other, each until it is acknowledged. */
    private static final class Payer {
        private volatile MarketClient client;
        private final AtomicInteger paid = new AtomicInteger();
        private final AtomicBoolean ends = new AtomicBoolean();

        Payer(MarketClient client) {
            this.client = client;
        }

        int run() {
            for (int i = 0; !ends.get(); i++) {
                pay(() -> client, "1", "payment-" + i);
                paid.incrementAndGet();
            }
            return paid.get();
        }

        void awaitMore(int count, ProcessCluster cluster) {
            int until = paid.get() + count;
            Await.until(count + " more payments", PATIENCE, () -> paid.get() >= until, cluster::tails);
        }
    }

    /** Repeats it with the same key, as the answer to an unknown outcome says. */
    private static void pay(Supplier<MarketClient> client, String amount, String key) {
        Await.until("the acknowledgement of " + key, PATIENCE, () -> {
            try {
                client.get().change("POST", ACCOUNT + "/deposits", Map.of("amount", amount), key);
                return true;
            } catch (CommandException e) {
                return false;
            }
        });
    }

    /** Null while it is refused: a new leader takes no request that may have been signed before it led. */
    private static @Nullable JsonNode account(MarketClient client) {
        try {
            return client.get(ACCOUNT);
        } catch (CommandException e) {
            return null;
        }
    }

    private static ProcessCluster.Builder pair() {
        return ProcessCluster.builder()
                .scheduler(DynamicPriorityScheduler.class.getName())
                .nodes(0, 1024, 1)
                .property(WebKeys.MASTER_KEY.name(), VoucherMaker.MASTER)
                .property(MarketKeys.TRIAL.name(), "true")
                .property(MarketKeys.CLUSTER_ID.name(), CLUSTER)
                .property(MarketKeys.STORE_DIRECTORY.name(), "hdfs:///heddle/market");
    }

    @Test
    void eachPaymentIsInTheLedgerOnceWhateverEnds() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (ProcessCluster cluster = pair().dataNodes(3).start()) {
            MarketClient client = OperatorClient.of(cluster, CLUSTER, "rm1", "rm2");
            client.change("POST", "accounts", Map.of("name", "alice"), "alice");
            Payer payer = new Payer(client);
            Future<Integer> paying = threads.submit(payer::run);
            payer.awaitMore(10, cluster);

            // 1. DataNodes are killed one after the other: the second one when the first one is about to be back
            cluster.daemon("datanode2").kill();
            payer.awaitMore(10, cluster);
            cluster.daemon("datanode2").start();
            cluster.daemon("datanode3").kill();
            payer.awaitMore(10, cluster);
            cluster.daemon("datanode3").start();

            // 2. The ResourceManager that leads is killed
            String first = cluster.awaitActiveManager();
            cluster.daemon(first).kill();
            payer.awaitMore(10, cluster);
            String second = cluster.awaitActiveManager();
            assertThat(second).isNotEqualTo(first);
            cluster.daemon(first).start();
            Await.until(
                    first + " to be the standby",
                    PATIENCE,
                    () -> cluster.get(cluster.managerUri(first, "/ws/v1/cluster/info"))
                            .contains("\"haState\":\"STANDBY\""),
                    cluster::tails);

            // 3. The other one is stopped, gets more payments, and wakes when it leads no more
            cluster.daemon(second).pause();
            payer.client = OperatorClient.of(cluster, CLUSTER, first, second); // one that does not answer costs 20 s
            MarketClient late = OperatorClient.of(cluster, CLUSTER, second);
            List<Future<?>> lates = new ArrayList<>();
            for (int i = 0; i < LATE; i++) {
                String key = "late-" + i;
                lates.add(threads.submit(() -> pay(() -> late, "1000", key)));
            }
            Await.until(
                    first + " to lead",
                    PATIENCE,
                    () -> cluster.get(cluster.managerUri(first, "/ws/v1/cluster/info"))
                            .contains("\"haState\":\"ACTIVE\""),
                    cluster::tails);
            payer.awaitMore(10, cluster);
            cluster.daemon(second).resume();
            for (Future<?> each : lates) {
                each.get(); // it sends the client on to the other one
            }
            payer.awaitMore(10, cluster);

            payer.ends.set(true);
            long expected = paying.get() + LATE * 1000L;
            JsonNode alice = Await.value("the account", PATIENCE, () -> account(client));
            assertThat(new BigDecimal(alice.at("/account/budget").asText()))
                    .isEqualByComparingTo(BigDecimal.valueOf(expected));
        } finally {
            threads.shutdownNow();
        }
    }

    /**
     * HDFS and YARN with Kerberos, and tickets that end during the run. The leader goes on with new tickets, the next
     * one reads the ledger with its own login, and one that does not log in says so and does not lead.
     */
    @Test
    void withKerberosTheNextLeaderReadsTheLedger(@TempDir Path directory) throws Exception {
        try (KerberosRealm realm = new KerberosRealm(directory.resolve("kdc"), TICKET_SECONDS);
                ProcessCluster cluster = pair().properties(realm.properties()).start()) {
            MarketClient client = OperatorClient.of(cluster, CLUSTER, "rm1", "rm2");
            client.change("POST", "accounts", Map.of("name", "alice"), "alice");
            long begin = System.nanoTime(); // tickets of the ResourceManagers are older
            pay(() -> client, "1", "with the first ticket");
            Await.until(
                    "the first tickets to end",
                    Duration.ofSeconds(2 * TICKET_SECONDS),
                    () -> System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(TICKET_SECONDS));
            pay(() -> client, "10", "with another ticket");

            String first = cluster.awaitActiveManager();
            cluster.daemon(first).kill();
            pay(() -> client, "100", "to the next leader");
            JsonNode alice = Await.value("the account", PATIENCE, () -> account(client));
            assertThat(new BigDecimal(alice.at("/account/budget").asText())).isEqualByComparingTo("111");
            String second = cluster.awaitActiveManager();
            assertThat(second).isNotEqualTo(first);

            String place = cluster.configuration().get("fs.defaultFS") + "/heddle/market";
            UserGroupInformation.createRemoteUser("nobody").doAs((PrivilegedExceptionAction<Void>) () -> {
                try (LedgerStore store = new JournalStore(
                        LogPlace.storage(place, cluster.configuration(), LogPoint.Watcher.NONE), CLUSTER)) {
                    assertThatThrownBy(store::lead)
                            .isInstanceOf(IOException.class)
                            .hasMessageStartingWith(place + " asks for Kerberos, and this process has no ticket")
                            .hasMessageNotContaining("\n");
                }
                return null;
            });
            forgetKerberos(cluster.home().resolve("conf-" + first));
            cluster.daemon(first).start();
            cluster.daemon(second).kill();
            Path log = cluster.home().resolve(first + ".log");
            Await.until(
                    first + " to say that it is not logged in",
                    PATIENCE,
                    () -> Files.readString(log).contains("asks for Kerberos, and this process has no ticket"),
                    cluster::tails);
            assertThat(cluster.activeManager()).isNull();
        }
    }

    /** As where an operator forgets core-site.xml. */
    private static void forgetKerberos(Path conf) throws IOException {
        Path site = conf.resolve("core-site.xml");
        String text = Files.readString(site);
        assertThat(text).contains("<value>kerberos</value>");
        Files.writeString(site, text.replace("<value>kerberos</value>", "<value>simple</value>"));
    }
}
