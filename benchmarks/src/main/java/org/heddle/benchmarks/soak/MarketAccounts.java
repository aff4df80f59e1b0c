// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.soak;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.heddle.market.cli.HeddleMarket;
import org.heddle.testkit.ProcessCluster;
import picocli.CommandLine;

/** Opens accounts as an operator does, with the command. */
final class MarketAccounts {
    static final String CLUSTER = "soak";

    /** @param rate in credits an interval */
    record Account(String name, String rate) {}

    private MarketAccounts() {}

    static void open(ProcessCluster cluster, String masterKey, List<Account> accounts) throws IOException {
        Path secrets = Files.createTempDirectory("heddle-soak-keys");
        Path master = Files.writeString(secrets.resolve("master-key"), masterKey);
        String operator = secrets.resolve("operator.key").toString();
        String manager =
                cluster.managerUri(cluster.awaitActiveManager(), "").toString().replaceAll("/$", "");
        market(
                manager,
                "keys",
                "operator",
                "--master-key-file",
                master.toString(),
                "--cluster",
                CLUSTER,
                "--save",
                operator);
        for (Account account : accounts) {
            String key = secrets.resolve(account.name() + ".key").toString();
            market(manager, "open", account.name(), "--key-file", operator);
            market(manager, "keys", "create", "--owner", account.name(), "--save", key, "--key-file", operator);
            market(manager, "pay", account.name(), "10000000", "--key-file", operator);
            market(manager, "bid", account.name(), account.rate(), "--key-file", key);
        }
    }

    private static void market(String manager, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--url");
        all.add(manager);
        StringWriter said = new StringWriter();
        CommandLine line = HeddleMarket.commandLine();
        line.setOut(new PrintWriter(said, true));
        line.setErr(new PrintWriter(said, true));
        if (line.execute(all.toArray(String[]::new)) != 0) {
            throw new IOException("heddle market " + String.join(" ", arguments) + ": "
                    + said.toString().strip());
        }
    }
}
