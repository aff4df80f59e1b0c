// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.NLineInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.heddle.market.DynamicPriorityScheduler;
import org.heddle.market.http.config.WebKeys;
import org.heddle.market.ledger.Market;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.change.ApplicationCost;
import org.heddle.market.model.change.Mutation;
import org.heddle.market.model.change.StatementLine;
import org.heddle.market.model.change.StatementRange;
import org.heddle.market.model.status.QueueStatus;
import org.heddle.testkit.Await;
import org.heddle.testkit.HeddleCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Real MapReduce jobs on a real cluster whose users pay, with the ledger in its HDFS: what is used is charged, and who
 * pays more gets more.
 */
class MarketIT {
    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .scheduler(DynamicPriorityScheduler.class.getName())
            .nodes(1, Map.of("memory-mb", 5_120L, "vcores", 20L))
            .users("alice", "bob", "carol", "dave")
            .property("yarn.acl.enable", "true")
            .property(WebKeys.MASTER_KEY.name(), VoucherMaker.MASTER)
            .property(MarketKeys.STANDARD_SLOT.name(), "memory-mb=512")
            .property(MarketKeys.INTERVAL_MS.name(), "2000")
            .property(MarketKeys.STORE_DIRECTORY.name(), "hdfs:///heddle/market")
            .property("yarn.scheduler.minimum-allocation-mb", "512")
            .property("yarn.app.mapreduce.am.resource.mb", "512")
            .property("mapreduce.map.memory.mb", "512")
            .hdfs(1)
            .mapReduce()
            .withoutHistoryServer()
            .build();

    /** Waits for as long as its line says. */
    public static final class Waiting extends Mapper<LongWritable, Text, NullWritable, NullWritable> {
        @Override
        protected void map(LongWritable offset, Text line, Context context) {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Long.parseLong(line.toString()));
            for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
    }

    @Test
    @Tag("long-3")
    void whoPaysMoreGetsMoreAndPaysForWhatItUsed() throws Exception {
        Market market = market();
        open(market, "alice", "300");
        open(market, "bob", "100");
        Job alice = submit("alice", "alice", 48, "nightly");
        Job bob = submit("bob", "bob", 24, "");
        List<QueueStatus> rich = new ArrayList<>();
        List<QueueStatus> poor = new ArrayList<>();
        List<SpendingRate> prices = new ArrayList<>();
        Await.until("alice's job has ended", Duration.ofMinutes(4), () -> {
            QueueStatus ofAlice = market.queue("alice");
            QueueStatus ofBob = market.queue("bob");
            // From the first moment: what one has too much of at the beginning is made up for later.
            if (ofAlice.pendingContainers() > 0 && ofBob.pendingContainers() > 0) {
                rich.add(ofAlice);
                poor.add(ofBob);
                prices.add(market.status().price());
            }
            return alice.isComplete();
        });
        assertThat(used(rich) / used(poor))
                .as(
                        "while both want more: alice %s, bob %s",
                        rich.stream().map(QueueStatus::usedContainers).toList(),
                        poor.stream().map(QueueStatus::usedContainers).toList())
                .isBetween(2.0, 4.0);
        // By now an epoch may have begun in which alice wants nothing.
        assertThat(prices.get(prices.size() - 1)).hasToString("400");
        for (Job job : List.of(alice, bob)) {
            assertThat(job.waitForCompletion(false)).isTrue();
        }
        Await.until(
                "no container runs, and no cost has accrued",
                Duration.ofSeconds(30),
                () -> market.queues().stream()
                        .allMatch(queue ->
                                queue.used().nanos() == 0 && queue.accrued().nanos() == 0));
        // The bills of the last epoch may not be on the disk yet; later epochs have no bills.
        long settled = market.status().epoch() + 2;
        Await.until(
                "epoch %d".formatted(settled),
                Duration.ofSeconds(30),
                () -> market.status().epoch() >= settled);
        Credits spent = Credits.ZERO;
        for (QueueStatus queue : market.queues()) {
            Credits charged = charged(market, queue.name());
            if (List.of("alice", "bob").contains(queue.name())) {
                assertThat(charged).isGreaterThan(Credits.ZERO);
                assertThat(charged.plus(queue.budget())).isEqualTo(Credits.of(1_000));
            }
            spent = spent.plus(charged);
        }
        assertThat(market.status().revenue()).isEqualTo(spent);
        theAccountPaysForTheTaggedJob(market, charged(market, "alice"));
    }

    /** The settings are those of docs/market-users.md. */
    private static void theAccountPaysForTheTaggedJob(Market market, Credits charged) throws Exception {
        assertThat(cluster.resourceManager().getRMContext().getRMApps().values())
                .filteredOn(app -> app.getApplicationTags().contains("nightly"))
                .singleElement()
                .satisfies(app -> {
                    assertThat(app.getQueue()).isEqualTo("root.alice");
                    assertThat(market.applications(
                                    "alice",
                                    Instant.EPOCH,
                                    Instant.now().plusSeconds(60),
                                    ApplicationCost.By.APPLICATION,
                                    10))
                            .singleElement()
                            .satisfies(cost -> {
                                assertThat(cost.application())
                                        .isEqualTo(app.getApplicationId().toString());
                                assertThat(cost.charged()).isEqualTo(charged);
                            });
                });
    }

    private static double used(List<QueueStatus> seen) {
        return seen.stream().mapToLong(QueueStatus::usedContainers).average().orElseThrow();
    }

    private static Credits charged(Market market, String queue) throws Exception {
        Credits charged = Credits.ZERO;
        for (StatementLine line : market.statement(StatementRange.first(queue, 0, Long.MAX_VALUE, 0, 10_000))) {
            if (line.kind() == StatementLine.Kind.CHARGE) {
                charged = charged.minus(line.amount());
            }
        }
        return charged;
    }

    /** What dave is told by the job client, as anybody sees it who types a command. */
    private static Throwable refused(String queue, String tag) {
        return catchThrowable(() -> submit("dave", queue, 1, tag));
    }

    @Test
    void aJobRunsOnAVoucherOnceAndWhoHasNoneIsToldAtOnce() throws Exception {
        Market market = market();
        open(market, "carol", "100");
        String tag = new VoucherMaker(market, "carol").voucher("dave", System.currentTimeMillis());
        assertThat(refused("carol", ""))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("User dave does not have permission to submit application_")
                .hasMessageContaining("to queue root.carol: ask for a place in its <submit> list");
        Job job = submit("dave", "carol", 1, tag);
        assertThat(job.waitForCompletion(false)).isTrue();
        assertThat(refused("carol", tag))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the voucher was used for application_");
        assertThat(cluster.resourceManager().getRMContext().getRMApps().values())
                .filteredOn(app -> app.getUser().equals("dave"))
                .as("nothing is left of the jobs that were refused")
                .hasSize(1)
                .allMatch(app -> app.getQueue().equals("root.carol"));
    }

    private static Market market() {
        return Objects.requireNonNull(
                ((DynamicPriorityScheduler) cluster.resourceManager().getResourceScheduler()).market());
    }

    private static void open(Market market, String queue, String rate) throws Exception {
        market.addQueue(new Mutation("admin", "test", "open " + queue), queue);
        market.setSpending(new Mutation("admin", "test", "rate " + queue), queue, SpendingRate.parse(rate));
        market.addBudget(new Mutation("admin", "test", "pay " + queue), queue, Credits.of(1_000), "");
    }

    /** @param tag of the application; empty for none */
    private static Job submit(String user, String queue, int maps, String tag) throws Exception {
        return cluster.as(user, () -> {
            Configuration conf = cluster.configuration();
            Path input = new Path("/user/" + user + "/in");
            Path output = new Path("/user/" + user + "/out-" + System.nanoTime());
            try (FSDataOutputStream out = FileSystem.get(conf).create(input)) {
                out.write("2500\n".repeat(maps).getBytes(StandardCharsets.UTF_8));
            }
            conf.set("mapreduce.job.queuename", queue);
            conf.set("mapreduce.job.tags", tag);
            Job job = Job.getInstance(conf, user);
            job.setJarByClass(MarketIT.class);
            job.setMapperClass(Waiting.class);
            job.setNumReduceTasks(0);
            job.setInputFormatClass(NLineInputFormat.class);
            NLineInputFormat.addInputPath(job, input);
            job.setMapOutputKeyClass(NullWritable.class);
            job.setMapOutputValueClass(NullWritable.class);
            FileOutputFormat.setOutputPath(job, output);
            job.submit();
            return job;
        });
    }
}
