// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The market as its README tells users: keys, credit, a bid, a voucher, and a job that brings it. */
@Order(60)
@ExtendWith({SharedCluster.Extension.class, KeepLogs.class})
class MarketIT {
    private static final String ID = "acceptance-1";
    private static final String QUEUES = """
            <heddle-scheduler version="1">
              <queue name="root"><submit/>
                <queue name="default"><submit users="*"/></queue>
              </queue>
            </heddle-scheduler>
            """;

    @Test
    void theReadmesCommandsBuyAShare(SharedCluster shared) throws Exception {
        Cluster cluster = shared.cluster();
        Path work = Files.createDirectories(shared.work().resolve("market"));
        Files.createSymbolicLink(
                work.resolve("bin"), shared.distribution().directory().resolve("bin"));
        List<String> lines = new ArrayList<>(Documented.commandsOf("MarketIT"));
        run(cluster, work, lines.remove(0)); // makes the master key, which the administrator puts into yarn-site.xml
        switchToTheMarket(cluster, work);
        String voucher = "";
        for (String line : lines) {
            voucher = run(cluster, work, line).strip();
        }

        String info = run(cluster, work, "bin/heddle-market info alice --key-file alice.key");
        assertThat(info).containsPattern("alice +(99|123) +0\\.5 ");
        assertThat(cluster.rest("/heddle/market/v1/price").isObject()).isTrue();
        submitWith(shared, voucher);
    }

    private static void switchToTheMarket(Cluster cluster, Path work) throws Exception {
        cluster.daemon("rm1").stop();
        cluster.daemon("rm2").stop();
        cluster.rewrite("heddle-scheduler.xml", QUEUES);
        cluster.set("yarn.resourcemanager.scheduler.class", "org.heddle.market.DynamicPriorityScheduler");
        cluster.set("yarn.acl.enable", "true");
        cluster.set("yarn.scheduler.heddle.market.cluster-id", ID);
        cluster.set(
                "yarn.scheduler.heddle.market.http.master-key",
                Files.readString(work.resolve("master-key")).strip());
        cluster.set(
                "yarn.scheduler.heddle.market.store.directory",
                work.resolve("books").toString());
        cluster.set("yarn.scheduler.heddle.market.interval-ms", "1000");
        // One machine has one clock: what is asked right after the start need not be asked again.
        cluster.set("yarn.scheduler.heddle.market.http.signature.ahead-ms", "0");
        cluster.daemon("rm1").start(); // alone: its books are on its own disk
        cluster.awaitReady();
    }

    /** bob may not submit to alice's queue but with what she gave him. */
    private static void submitWith(SharedCluster shared, String voucher) throws Exception {
        assertThat(voucher).startsWith("heddle-voucher-1-");
        assertThat(submit(shared).text()).contains("does not have permission to submit");
        CommandResult with = submit(shared, "-Dmapreduce.job.tags=" + voucher);
        assertThat(with.exit()).as(with.toString()).isZero();
    }

    private static CommandResult submit(SharedCluster shared, String... more) throws Exception {
        return shared.cluster()
                .client("hadoop", "jar", shared.home().examples(), "pi", "-Dmapreduce.job.queuename=root.alice")
                .and((Object[]) more)
                .and("1", "10")
                .as("bob")
                .run();
    }

    private static String run(Cluster cluster, Path work, String line) throws Exception {
        String here = line.replace("CLUSTER", ID)
                .replace("http://rm:8088", cluster.manager("rm1", "").toString());
        CommandResult ran = cluster.command("bash", "-c", here)
                .in(work)
                .with("HEDDLE_MARKET_URL", cluster.manager("rm1", ""))
                .run();
        assertThat(ran.exit()).as(ran.toString()).isZero();
        return ran.out();
    }
}
