// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.market;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.commons.io.FileUtils;
import org.heddle.demos.Stage;
import org.heddle.testkit.ClusterBuilder;
import org.heddle.testkit.HeddleCluster;
import org.heddle.testkit.NodeSpec;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./demo market}: cluster up, accounts and bids, streams of jobs, table and plots, cluster down. */
@Command(
        name = "market",
        mixinStandardHelpOptions = true,
        description = {
            "Three users pay for their shares of one cluster under the dynamic-priority scheduler.",
            "Each has a stream of MapReduce jobs. Half-way alice bids four times as much; carol runs out of budget.",
            "Bids and payments go through heddle market, signed. Exit code 0: jobs wrote what they should, the books",
            "agree, and everybody held what he was entitled to."
        })
public final class MarketDemo implements Callable<Integer> {
    private static final int MASTER_KEY_BYTES = 32;

    @Option(
            names = "--seconds",
            defaultValue = "300",
            description = "how long the streams run (default: ${DEFAULT-VALUE})")
    private int seconds;

    @Option(names = "--out", description = "directory for plots and logs (default: a new one in demos/target/demo)")
    private @Nullable Path out;

    private final PrintStream console = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private volatile @Nullable MarketRun running;

    @Override
    public Integer call() throws Exception {
        if (seconds < 40 || seconds > 3600) {
            console.println("demo: --seconds " + seconds + ": give 40 to 3600");
            return 2;
        }
        Stage stage = Stage.set("market", out, console);
        Path secrets = Files.createTempDirectory("heddle-market-demo").toRealPath();
        stage.afterwards(() -> delete(secrets));
        byte[] random = new byte[MASTER_KEY_BYTES];
        new SecureRandom().nextBytes(random);
        String masterKey = Base64.getEncoder().encodeToString(random);
        Path masterKeyFile = Files.writeString(secrets.resolve("master-key"), masterKey);
        MarketScenario plan = new MarketScenario(seconds);
        return stage.play(cluster(plan, masterKey, secrets), this::abandon, cluster -> {
            console.println("Console: " + cluster.webAddress() + "/heddle/market/");
            MarketRun run = new MarketRun(cluster, plan, stage.home(), secrets, console);
            running = run;
            return run.run(masterKeyFile) ? 0 : 1;
        });
    }

    private static ClusterBuilder cluster(MarketScenario plan, String masterKey, Path secrets) {
        return HeddleCluster.builder()
                .scheduler("org.heddle.market.DynamicPriorityScheduler")
                .nodes(MarketScenario.FRONTS, Map.of("memory-mb", MarketScenario.frontMb(), "vcores", 16L))
                .addressesAsNames()
                .hdfsOn(MarketScenario.workers().stream().map(NodeSpec::host).toArray(String[]::new))
                .users(MarketScenario.USERS.toArray(String[]::new))
                .mapReduce()
                .withoutHistoryServer()
                .queuesFile("yarn.scheduler.heddle.configuration.file", queues())
                .properties(plan.properties(masterKey, secrets.resolve("books").toString()));
    }

    private static String queues() {
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\"?>\n<heddle-scheduler version=\"1\">\n");
        xml.append("  <queue name=\"root\">\n");
        for (String user : MarketScenario.USERS) {
            xml.append("    <queue name=\"").append(user).append("\"><max-am-share>100%</max-am-share></queue>\n");
        }
        return xml.append("  </queue>\n</heddle-scheduler>\n").toString();
    }

    private void abandon() {
        MarketRun run = running;
        if (run != null) {
            run.abandon();
        }
    }

    /** Keys and books are of no use once the cluster is gone. */
    private void delete(Path directory) {
        try {
            FileUtils.deleteDirectory(directory.toFile());
        } catch (IOException e) {
            console.println("demo: " + directory + " could not be deleted: " + e.getMessage());
        }
    }
}
