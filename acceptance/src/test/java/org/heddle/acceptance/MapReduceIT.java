// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Hadoop's own examples by their stock command under our scheduler, with LATE as the speculator of every job. */
@Order(30)
@Tag("long-2")
@ExtendWith({SharedCluster.Extension.class, KeepLogs.class})
class MapReduceIT {
    private static final String TEXT = "the warp and the weft\nthe heddle parts the warp\n";

    @Test
    void theStockExamplesRunAndTheirHistoryIsReplayed(SharedCluster shared) throws Exception {
        Cluster cluster = shared.cluster();
        Path work = Files.createDirectories(shared.work().resolve("examples"));
        CompletableFuture<CommandResult> pi = CompletableFuture.supplyAsync(() -> {
            try {
                String line = Documented.commandsOf("MapReduceIT").get(0).replace("=default", "=root.alpha");
                return cluster.command("bash", "-c", line).as("bob").run().orFail();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        Path text = Files.writeString(work.resolve("text"), TEXT);
        cluster.client("hadoop", "fs", "-put", text, "/text").as("bob").run().orFail();
        CommandResult count =
                example(shared, "wordcount", "-Dmapreduce.job.queuename=root.weighted.few", "/text", "/counted");

        assertThat(count.text()).contains("completed successfully");
        assertThat(cluster.client("hadoop", "fs", "-cat", "/counted/part-*")
                        .as("bob")
                        .run()
                        .orFail()
                        .out())
                .contains("the\t4\n")
                .contains("warp\t2\n");
        assertThat(pi.get().out()).containsPattern("Estimated value of Pi is 3\\.1");

        lateIsReplayed(shared, count, work);
        thePastIsReplayed(shared, work);
    }

    /** The histories in HDFS with FairScheduler. */
    private static void thePastIsReplayed(SharedCluster shared, Path work) throws Exception {
        Path queues = Files.writeString(
                work.resolve("fair-scheduler.xml"), "<allocations><queue name=\"alpha\"/></allocations>");
        String whatif = shared.distribution().directory().resolve("bin/heddle") + " whatif --file " + queues;
        CommandResult histories = shellIn(
                shared,
                work,
                whatif + " --with fair --history /mapreduce/history/done --nodes 2 --node memory=8Gi,vcores=8"
                        + " --out report.html");
        assertThat(histories.exit()).as(histories.toString()).isZero();
        assertThat(histories.out()).containsPattern("jobs not ended +- +0\n").contains("root.alpha");
        assertThat(Files.readString(work.resolve("report.html"))).contains("root.alpha");
    }

    private static CommandResult example(SharedCluster shared, String... words) throws Exception {
        return shared.cluster()
                .client("hadoop", "jar", shared.home().examples())
                .and((Object[]) words)
                .as("bob")
                .run()
                .orFail();
    }

    private static void lateIsReplayed(SharedCluster shared, CommandResult job, Path work) throws Exception {
        Cluster cluster = shared.cluster();
        Matcher id = Pattern.compile("Running job: (job_\\d+_\\d+)").matcher(job.text());
        assertThat(id.find()).as(job.text()).isTrue();
        cluster.await("the history server to have the job", () -> {
            CommandResult moved = cluster.client("hadoop", "fs", "-ls", "-R", "/mapreduce/history/done")
                    .run();
            Matcher file = Pattern.compile("(/mapreduce/history/done/\\S+" + id.group(1) + "\\S+\\.jhist)")
                    .matcher(moved.out());
            return file.find()
                    && cluster.client("hadoop", "fs", "-get", file.group(1), work.resolve("job.jhist"))
                                    .run()
                                    .exit()
                            == 0;
        });
        CommandResult status = cluster.client("mapred", "job", "-status", id.group(1))
                .as("bob")
                .run()
                .orFail();
        assertThat(status.out())
                .as("counters of LATE show that it was the job's speculator")
                .contains("org.heddle.late");
        for (String line : Documented.commandsOf("MapReduceIT").subList(1, 3)) {
            CommandResult ran = shellIn(shared, work, line);
            assertThat(ran.exit()).as(ran.toString()).isZero();
            assertThat(ran.text()).isNotBlank();
        }
        assertThat(Files.size(work.resolve("both.png"))).isPositive();
    }

    private static CommandResult shellIn(SharedCluster shared, Path work, String line) throws Exception {
        if (!Files.exists(work.resolve("other.jhist"))) {
            Files.copy(work.resolve("job.jhist"), work.resolve("one.jhist"));
            Files.copy(work.resolve("job.jhist"), work.resolve("other.jhist"));
            Files.createSymbolicLink(
                    work.resolve("bin"), shared.distribution().directory().resolve("bin"));
        }
        return shared.cluster().command("bash", "-c", line).in(work).run();
    }
}
