// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.soak;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.heddle.market.cli.HeddleMarket;
import org.heddle.testkit.ProcessCluster;
import picocli.CommandLine;

/** Opens accounts as an operator does, with the command. */
final class MarketAccounts {
    static final String CLUSTER = "soak";

    private MarketAccounts() {}

    /** @param rates in credits an interval, by account */
    static void open(ProcessCluster cluster, String masterKey, Map<String, Double> rates) throws IOException {
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
        for (Map.Entry<String, Double> account : rates.entrySet()) {
            String name = account.getKey();
            String key = secrets.resolve(name + ".key").toString();
            market(manager, "open", name, "--key-file", operator);
            market(manager, "keys", "create", "--owner", name, "--save", key, "--key-file", operator);
            market(manager, "pay", name, "10000000", "--key-file", operator);
            market(manager, "bid", name, account.getValue().toString(), "--key-file", key);
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
