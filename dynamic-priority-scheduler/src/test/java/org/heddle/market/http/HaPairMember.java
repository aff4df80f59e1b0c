// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.heddle.market.TestTerms;
import org.heddle.market.http.config.WebKeys;
import org.heddle.market.http.config.WebLimits;
import org.heddle.market.ledger.Market;
import org.heddle.market.ledger.MemoryMarket;
import org.heddle.market.ledger.journal.JournalStore;

/**
 * One ResourceManager of a pair, in its own process because web filters are static. Both use the same journal. It reads
 * commands as lines from standard input and prints {@code did LINE} after each.
 */
public final class HaPairMember {
    /**
     * A takeover on a busy machine may take more than the usual minute, and then replays would be refused for their
     * age.
     */
    private static final WebLimits LIMITS = new WebLimits(
            Duration.ofMinutes(30),
            Duration.ofSeconds(1),
            WebLimits.DEFAULT.rates(),
            WebLimits.DEFAULT.keepEndedKeys());

    private HaPairMember() {}

    /** @param arguments own id, then for both members their five ports, then the journal's directory */
    public static void main(String[] arguments) throws Exception {
        PrintStream told = System.out;
        System.setOut(
                System.err); // logs: the test reads only after a command, and a full pipe would block this process
        DefaultMetricsSystem.setMiniClusterMode(true);
        YarnConfiguration conf = new YarnConfiguration();
        conf.set(YarnConfiguration.RM_SCHEDULER, FixedMarketScheduler.class.getName());
        conf.setBoolean(YarnConfiguration.RM_HA_ENABLED, true);
        conf.setBoolean(YarnConfiguration.AUTO_FAILOVER_ENABLED, false);
        conf.set(YarnConfiguration.RM_CLUSTER_ID, "pair");
        conf.set(YarnConfiguration.RM_HA_IDS, "rm1,rm2");
        conf.set(YarnConfiguration.RM_HA_ID, arguments[0]);
        conf.set(WebKeys.MASTER_KEY.name(), MarketWebFixture.MASTER);
        int next = 1;
        for (String id : List.of("rm1", "rm2")) {
            for (String address : MarketWebFixture.ADDRESSES) {
                conf.set(address + "." + id, "127.0.0.1:" + arguments[next++]);
            }
        }
        Path journal = Path.of(arguments[next]);
        conf.set(
                YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
                journal.resolveSibling("node-attributes-" + arguments[0])
                        .toUri()
                        .toString());
        try {
            obey(conf, journal, told);
            Runtime.getRuntime().halt(0);
        } catch (Exception e) {
            // Other threads of the ResourceManager would keep the process, and the test, waiting.
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }

    private static void obey(YarnConfiguration conf, Path journal, PrintStream told) throws Exception {
        ResourceManager rm = new ResourceManager();
        rm.init(conf);
        rm.start();
        told.println("did start");
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String command = commands.readLine(); command != null; command = commands.readLine()) {
            if (command.equals("lead")) {
                rm.getRMContext()
                        .getRMAdminService()
                        .transitionToActive(new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER_FORCED));
                FixedMarketScheduler scheduler = (FixedMarketScheduler) rm.getResourceScheduler();
                scheduler.limit(LIMITS);
                scheduler.show(open(journal), System.currentTimeMillis());
            }
            told.println("did " + command);
        }
    }

    private static Market open(Path journal) throws IOException {
        Market market = new Market(
                TestTerms.paper(MemoryMarket.CLUSTER, 20_000),
                new JournalStore(journal, MemoryMarket.CLUSTER),
                System::currentTimeMillis,
                Duration.ofMinutes(2));
        market.open();
        return market;
    }
}
