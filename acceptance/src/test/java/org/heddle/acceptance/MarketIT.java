// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The market as its documents tell it: the README's keys, credit, bid and voucher, and then the user's page, from the
 * price to the bill of a job.
 */
@Order(60)
@ExtendWith({SharedCluster.Extension.class, KeepLogs.class})
@Tag("long-2")
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
    void theDocumentedCommandsBuyAShareAndSpendIt(SharedCluster shared) throws Exception {
        Cluster cluster = shared.cluster();
        Path work = Files.createDirectories(shared.work().resolve("market"));
        Files.createSymbolicLink(
                work.resolve("bin"), shared.distribution().directory().resolve("bin"));
        List<String> all = Documented.commandsOf("MarketIT");
        int page = first(all, "export ");
        List<String> readme = all.subList(0, page);
        run(cluster, work, readme.get(0)); // makes the master key, which the administrator puts into yarn-site.xml
        switchToTheMarket(cluster, work);
        String voucher = "";
        for (String line : readme.subList(1, page)) {
            voucher = run(cluster, work, line).strip();
        }

        String info = run(cluster, work, "bin/heddle market info alice --key-file alice.key");
        assertThat(info).containsPattern("alice +(99|123) +0\\.5 ");
        assertThat(cluster.rest("/heddle/market/v1/price").isObject()).isTrue();
        usersPage(shared, new UserShell(shared, work, all.subList(page, all.size())), voucher);
        theNewestFileOfTheLedgerIsLost(cluster, work);
    }

    private static int first(List<String> lines, String part) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).contains(part)) {
                return i;
            }
        }
        throw new AssertionError("no command has '" + part + "': " + lines);
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
        cluster.daemon("rm1").start(); // alone: its books are on its own disk
        cluster.awaitReady();
    }

    /** docs/market-users.md, by alice. While her job runs, bob's runs too, with her voucher. */
    private static void usersPage(SharedCluster shared, UserShell alice, String voucher) throws Exception {
        Cluster cluster = shared.cluster();
        assertThat(alice.run("price --history")).contains("since", "price", "charged");
        assertThat(alice.run("price --forecast")).contains("low", "middle", "high");
        assertThat(alice.run("quote alice")).startsWith("cost ").contains("at rate 0.5", "finish by 2h");
        assertThat(alice.run(" bid alice")).contains("alice bids 0.5");
        // The agent waits until there is an application with the tag, and ends with it.
        try (Daemon agent = alice.start("agent deadline", "agent");
                Daemon watch = alice.start("watch alice", "watch");
                Daemon job = alice.start("hadoop jar", "nightly")) {
            submitWith(shared, voucher);
            cluster.await("alice's job to end", () -> !job.isAlive());
            assertThat(job.output()).contains("Estimated value of Pi is 3.");
            cluster.await("the agent to end", () -> !agent.isAlive());
            assertThat(agent.output()).contains("  ended  rate ");
            assertThat(watch.output()).contains("balance", "lasts", "0.5");
        }
        String id = cluster.rest("/ws/v1/cluster/apps?applicationTags=nightly")
                .at("/apps/app/0/id")
                .asText();
        assertThat(id).startsWith("application_");
        cluster.await(
                "the bill of " + id,
                () -> alice.run("statement alice --applications").contains(id));
        assertThat(alice.run("statement alice")).contains("deposit", "charge");
    }

    /** bob may not submit to alice's queue but with what she gave him. */
    private static void submitWith(SharedCluster shared, String voucher) throws Exception {
        assertThat(voucher).startsWith("heddle-voucher-1-");
        assertThat(submit(shared).text()).contains("does not have permission to submit");
        CommandResult with = submit(shared, "-Dmapreduce.job.tags=" + voucher);
        assertThat(with.exit()).as(with.toString()).isZero();
    }

    /**
     * docs/runbooks.md, "A ledger or a log does not open": a manager of a pair does not become active until the loss of
     * a payment is accepted, and then does so by itself; what was paid before is there.
     */
    private static void theNewestFileOfTheLedgerIsLost(Cluster cluster, Path work) throws Exception {
        Daemon manager = cluster.daemon("rm1");
        manager.stop();
        manager.start();
        cluster.awaitReady();
        run(cluster, work, "bin/heddle market pay alice 7 --text 'the lost one' --key-file operator.key");
        manager.stop();
        run(cluster, work, "cd books && rm $(ls log-* | tail -1)");
        manager.start();
        cluster.await("a sentence about the lost file", () -> manager.output().contains(" has lost its records "));
        assertThat(cluster.activeManager()).isNull();
        LostLogRunbook.Row row = LostLogRunbook.row(manager.output());
        run(cluster, work, row.command("touch", work.resolve("books").toString()));
        cluster.awaitReady();
        String statement = run(cluster, work, "bin/heddle market statement alice --key-file alice.key");
        assertThat(statement).contains("deposit", "charge").doesNotContain("the lost one");
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

    /**
     * alice's shell, in which the first line of the page has set the environment.
     *
     * @param page the commands of docs/market-users.md that are run
     */
    private record UserShell(SharedCluster shared, Path work, List<String> page) {
        private Command command(String part) throws IOException {
            String line = page.get(0) + "; exec " + page.get(first(page, part));
            String here = line.replace(
                            "http://rm:8088",
                            shared.cluster().manager("rm1", "").toString())
                    .replace(
                            "hadoop-mapreduce-examples.jar",
                            shared.home().examples().toString());
            return shared.cluster().command("bash", "-c", here).in(work).as("alice");
        }

        /** Runs the first command that contains a text, to its end. */
        String run(String part) throws IOException {
            return command(part).run().orFail().out();
        }

        Daemon start(String part, String name) throws IOException {
            return command(part).start(name, work.resolve(name + ".log"));
        }
    }
}
