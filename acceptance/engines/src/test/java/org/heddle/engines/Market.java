// SPDX-License-Identifier: Apache-2.0
package org.heddle.engines;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.heddle.acceptance.Cluster;
import org.heddle.acceptance.Command;

/** A cluster under the market in which alice has 100 credits, a rate of 0.5 and a key. */
final class Market implements AutoCloseable {
    private static final String MASTER_KEY = "aGVkZGxlLXRlc3QtbWFzdGVyLWtleS0wMTIzNDU2Nzg=";

    private final Cluster cluster;
    private final Path alice;

    private Market(Cluster cluster) {
        this.cluster = cluster;
        alice = cluster.directory().resolve("alice.key");
    }

    static Market start() throws IOException {
        Market market = new Market(Engines.startMarket(MASTER_KEY));
        try {
            market.open();
            return market;
        } catch (IOException | RuntimeException | Error e) {
            market.close();
            throw e;
        }
    }

    private void open() throws IOException {
        Path master = Files.writeString(cluster.directory().resolve("master-key"), MASTER_KEY);
        Path operator = cluster.directory().resolve("operator.key");
        command("keys", "operator", "--master-key-file", master, "--cluster", Engines.MARKET_ID)
                .and("--save", operator)
                .run()
                .orFail();
        said(operator, "open", "alice");
        said(operator, "pay", "alice", "100");
        said(operator, "keys", "create", "--owner", "alice", "--save", alice);
        said(alice, "bid", "alice", "0.5");
    }

    Cluster cluster() {
        return cluster;
    }

    Path keyOfAlice() {
        return alice;
    }

    /** A tag with which bob may submit an application to alice's queue. */
    String voucherForBob() throws IOException {
        return said(alice, "voucher", "alice", "--for", "bob", "--minutes", "30")
                .strip();
    }

    /** Waits until alice's statement has a line for an application, which says what it cost. */
    void awaitBill(String application) {
        cluster.await(
                "the bill of " + application,
                () -> said(alice, "statement", "alice", "--applications").contains(application));
    }

    /** A command of the market, for whoever has the key that it names. */
    Command command(Object... words) throws IOException {
        return cluster.command(Engines.command("heddle"))
                .and("market")
                .and(words)
                .with("HEDDLE_MARKET_URL", cluster.manager(""));
    }

    private String said(Path key, Object... words) throws IOException {
        return command(words).and("--key-file", key).run().orFail().out();
    }

    @Override
    public void close() throws IOException {
        cluster.close();
    }
}
