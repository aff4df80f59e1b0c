// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.heddle.testkit.Await;
import org.heddle.testkit.HeddleCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code heddle doctor} asks a real ResourceManager with a real NodeManager, of either line of Hadoop. */
class DoctorOnClusterTest {
    private static final String SCHEDULER = "org.heddle.drf.DrfScheduler";

    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .scheduler(SCHEDULER)
            .queuesFile(
                    "yarn.scheduler.heddle.configuration.file",
                    "<heddle-scheduler version=\"1\"><queue name=\"root\"><queue name=\"default\"/></queue>"
                            + "</heddle-scheduler>")
            .nodes(1, Map.of("memory-mb", 1024L, "vcores", 2L))
            .withoutHistoryServer()
            .build();

    @TempDir
    Path conf;

    private final StringWriter out = new StringWriter();

    private int run(String scheduler) throws Exception {
        Files.writeString(
                conf.resolve("yarn-site.xml"),
                "<configuration>" + CheckTest.property(SiteKeys.SCHEDULER, scheduler) + CheckTest.SAFE
                        + CheckTest.property(
                                "yarn.resourcemanager.webapp.address",
                                cluster.value("yarn.resourcemanager.webapp.address"))
                        + "</configuration>");
        out.getBuffer().setLength(0);
        PrintWriter to = new PrintWriter(out, true);
        String patience =
                Await.stretched(Duration.ofSeconds(10)).toSeconds() + "s"; // it has not been asked anything yet
        return Heddle.run(to, to, "doctor", "--conf-dir", conf.toString(), "--timeout", patience);
    }

    @Test
    void whatTheResourceManagerSaysOfItself() throws Exception {
        run(SCHEDULER);
        assertThat(out.toString())
                .contains(
                        "ResourceManager http://",
                        ", started, active",
                        "ok           runs on Java " + Runtime.version().feature(),
                        "ok           the scheduler in force is " + SCHEDULER,
                        "ok           queues as in ",
                        "ok           no error inside the scheduler since its start",
                        "ok           1 NodeManager is active")
                .doesNotContain("answers 404", "lost", "unhealthy");

        assertThat(run("org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler"))
                .isEqualTo(1);
        assertThat(out.toString())
                .contains("the scheduler in force is " + SCHEDULER + ", and yarn-site.xml line 1 says");
    }
}
