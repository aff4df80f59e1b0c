// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** README's recipe for MapReduce, as it stands there, and what containers and clients are told of the cluster. */
@Tag("long-1")
class RecipesIT {
    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .nodes(2, Map.of("memory-mb", 2048L, "vcores", 4L))
            .users("alice")
            .mapReduce()
            .build();

    @Test
    void mapReduce() throws Exception {
        // README: a MapReduce job
        Job job = cluster.as("alice", () -> {
            Configuration conf = cluster.configuration();
            Path input = new Path("/user/alice/input/text");
            try (OutputStream out = FileSystem.get(conf).create(input)) {
                out.write("the cat sat\nabout seven mice".getBytes(StandardCharsets.UTF_8));
            }
            Job made = WordLengths.job(conf, input, new Path("/user/alice/output"));
            made.submit();
            return made;
        });
        boolean succeeded = job.waitForCompletion(false);
        String application = job.getJobID().toString().replace("job", "application");
        assertTrue(succeeded, () -> cluster.logs().describe(application));
        // end of README's text
        try (var result = cluster.fileSystem().open(new Path("/user/alice/output/part-r-00000"))) {
            assertThat(new String(result.readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("3\t3\n4\t1\n5\t2\n");
        }
        assertThat(cluster.resourceManager().getRMContext().getRMApps().get(ApplicationId.fromString(application)))
                .extracting(RMApp::getTrackingUrl, STRING)
                .startsWith(cluster.webAddress() + "/proxy/" + application);
    }

    /** A stock client which runs in a container, as engines' ApplicationMasters do, and knows only its class path. */
    @Test
    void containersFindTheCluster() throws Exception {
        try (TestApplication app = TestApplication.start(cluster, "alice", "root.default")) {
            Container container = app.awaitGranted(app.ask(Ask.of(1, Map.of("memory-mb", 256L))), 1)
                    .get(0);
            String classPath =
                    cluster.value(YarnConfiguration.YARN_APPLICATION_CLASSPATH).replace(',', ':');
            app.launch(
                    container,
                    System.getProperty("java.home")
                            + "/bin/java -Xmx160m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp " + classPath
                            + " org.apache.hadoop.yarn.client.cli.NodeCLI -list");
            String id = app.id().toString();
            Await.until(
                    "the list of nodes",
                    Duration.ofSeconds(60),
                    () -> cluster.logs().text(id, "stdout").contains("Total Nodes:2"),
                    () -> cluster.logs().describe(id));
        }
    }
}
