// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent's jar in HDFS: bridges that start at the same moment, as a pair does, find the same file there. */
class AgentJarIT {
    private static final int BRIDGES = 8;

    @TempDir
    static File home;

    private static MiniDFSCluster hdfs;

    @BeforeAll
    static void start() throws Exception {
        hdfs = new MiniDFSCluster.Builder(new HdfsConfiguration(), home)
                .numDataNodes(1)
                .build();
        hdfs.waitActive();
    }

    @AfterAll
    static void stop() {
        hdfs.shutdown();
    }

    private static Configuration conf() {
        return new Configuration(hdfs.getConfiguration(0));
    }

    private static List<LocalResource> publishedAtOnce(String directory) throws Exception {
        ExecutorService bridges = Executors.newFixedThreadPool(BRIDGES);
        try {
            CyclicBarrier start = new CyclicBarrier(BRIDGES);
            List<Future<LocalResource>> jars = new ArrayList<>();
            for (int i = 0; i < BRIDGES; i++) {
                jars.add(bridges.submit(() -> {
                    Configuration own = conf();
                    own.setBoolean("fs.hdfs.impl.disable.cache", true); // a client of its own, as another process has
                    start.await();
                    return AgentJar.publish(directory, own).jar();
                }));
            }
            List<LocalResource> published = new ArrayList<>();
            for (Future<LocalResource> jar : jars) {
                published.add(jar.get());
            }
            return published;
        } finally {
            bridges.shutdownNow();
        }
    }

    private static void assertOneFile(String directory, List<LocalResource> published) throws Exception {
        FileStatus[] files = FileSystem.get(conf()).listStatus(new Path(directory));
        assertThat(files).hasSize(1);
        assertThat(published).allSatisfy(jar -> {
            assertThat(jar.getSize()).isEqualTo(files[0].getLen());
            assertThat(jar.getTimestamp()).isEqualTo(files[0].getModificationTime());
        });
    }

    @Test
    void bridgesThatStartAtTheSameMomentPublishOneFile() throws Exception {
        assertOneFile("/staging/empty", publishedAtOnce("/staging/empty"));
    }

    @Test
    void aDamagedFileIsReplaced() throws Exception {
        LocalResource good = AgentJar.publish("/staging/damaged", conf()).jar();
        FileSystem files = FileSystem.get(conf());
        files.create(new Path(good.getResource().getFile()), true).close();
        assertOneFile(
                "/staging/damaged",
                List.of(AgentJar.publish("/staging/damaged", conf()).jar()));
    }

    @Test
    void aDirectoryThatCannotBeWrittenIsNamed() throws Exception {
        hdfs.getFileSystem().setSafeMode(SafeModeAction.ENTER);
        try {
            assertThatThrownBy(() -> AgentJar.publish("/staging/safe", conf()))
                    .hasMessageStartingWith("/staging/safe (heddle.bridge.staging.dir) cannot take the agent's jar: ")
                    .hasMessageContaining("safe mode");
        } finally {
            hdfs.getFileSystem().setSafeMode(SafeModeAction.LEAVE);
        }
    }
}
