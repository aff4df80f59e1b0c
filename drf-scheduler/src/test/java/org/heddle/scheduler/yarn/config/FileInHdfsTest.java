// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.heddle.scheduler.yarn.HeddleScheduler;
import org.heddle.scheduler.yarn.fair.FairSchedulerFixture;
import org.heddle.testkit.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queues are configured by a file in HDFS, as FairScheduler's may be. */
class FileInHdfsTest {
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    @Test
    void itIsReadAndReadAgainAndTheLastGoodOneStays() throws Exception {
        Configuration conf = new Configuration();
        conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.resolve("dfs").toString());
        try (MiniDFSCluster hdfs =
                new MiniDFSCluster.Builder(conf).numDataNodes(1).build()) {
            org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/conf/fair-scheduler.xml");
            write(hdfs.getFileSystem(), file, "<allocations><queue name=\"a\"/></allocations>");
            String uri = hdfs.getURI() + file.toString();
            try (FairSchedulerFixture fixture = new FairSchedulerFixture(
                    FairSchedulerFixture.OURS,
                    directory.resolve("unused.xml"),
                    "yarn.scheduler.fair.allocation.file",
                    uri)) {
                HeddleScheduler scheduler = (HeddleScheduler) fixture.scheduler();
                assertThat(fixture.queues(name -> "")).containsOnlyKeys("root", "root.a");

                write(hdfs.getFileSystem(), file, "<allocations><queue name=\"b\"/><queue name=\"a\"/></allocations>");
                look(fixture, () -> fixture.queues(name -> "").containsKey("root.b"));

                write(hdfs.getFileSystem(), file, "<allocations><queue name=");
                look(fixture, () -> scheduler.snapshot().configuration().problem() != null);
                assertThat(scheduler.snapshot().configuration().problem()).contains(uri);
                assertThat(fixture.queues(name -> "")).containsKey("root.b");

                hdfs.getFileSystem().delete(file, false);
                look(
                        fixture,
                        () -> String.valueOf(
                                        scheduler.snapshot().configuration().problem())
                                .endsWith("cannot be read now: File does not exist: /conf/fair-scheduler.xml"));
                assertThat(fixture.queues(name -> "")).containsKey("root.b");
            }
        }
    }

    /** The file is looked at now and then, on a thread of its own. */
    private static void look(FairSchedulerFixture fixture, BooleanSupplier seen) {
        long deadline = System.nanoTime() + Await.stretched(DEADLINE).toNanos();
        while (!seen.getAsBoolean()) {
            assertThat(System.nanoTime()).as("the file was not looked at").isLessThan(deadline);
            fixture.clock.tick(11_000);
            fixture.scheduler().update();
            LockSupport.parkNanos(20_000_000);
        }
    }

    private static void write(FileSystem hdfs, org.apache.hadoop.fs.Path file, String text) throws IOException {
        try (FSDataOutputStream out = hdfs.create(file, true)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }
}
