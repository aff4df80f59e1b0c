// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.journal;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.heddle.journal.LogPoint;
import org.heddle.journal.hdfs.LogPlace;
import org.heddle.market.ledger.StoreContract;
import org.heddle.market.ledger.book.LedgerStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The contract of every store, with the ledger in a real HDFS with three DataNodes, as two ResourceManagers use it. */
@Tag("soak")
class HdfsJournalStoreIT extends StoreContract {
    @TempDir
    static Path home;

    private static MiniDFSCluster cluster;
    private static Configuration conf;

    private int ledgers;
    private String directory = "";

    @BeforeAll
    static void start() throws IOException {
        conf = new HdfsConfiguration();
        conf.set("dfs.heartbeat.interval", "100ms"); // the recovery of a lease waits for heartbeats
        conf.setInt("dfs.replication", 3);
        cluster = new MiniDFSCluster.Builder(conf, home.resolve("hdfs").toFile())
                .numDataNodes(3)
                .build();
        cluster.waitActive();
    }

    @AfterAll
    static void stop() {
        cluster.shutdown();
    }

    @Override
    public void newLedger() {
        directory = cluster.getURI() + "/market-" + System.identityHashCode(this) + "-" + ledgers++;
    }

    @Override
    public LedgerStore store(LogPoint.Watcher watcher) {
        return new JournalStore(LogPlace.storage(directory, conf, watcher), "test");
    }
}
