// SPDX-License-Identifier: Apache-2.0
package org.heddle.engines;

import static org.assertj.core.api.Assertions.assertThat;

import org.heddle.acceptance.Cluster;
import org.heddle.acceptance.KeepLogs;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A Flink session takes TaskManagers as its jobs need them and gives them back. */
@Tag("newer-line")
@ExtendWith(KeepLogs.class)
class FlinkIT {
    private static final String QUEUES =
            "<heddle-scheduler version=\"1\"><queue name=\"root\"><queue name=\"flink\"/></queue></heddle-scheduler>";

    @Test
    void aSessionGrowsAndShrinksWithItsJobs() throws Exception {
        try (Cluster cluster = Engines.start(QUEUES)) {
            Flink flink = new Flink(cluster);
            flink.open("alice", "session", "flink");
            Application.await(cluster, "session", "is the JobManager alone", app -> app.cores() == 1);
            String first = flink.submit("alice", "first", 2);
            Application.await(cluster, "session", "has two TaskManagers", app -> app.cores() == 3);
            String second = flink.submit("alice", "second", 2);
            Application.await(cluster, "session", "has four TaskManagers", app -> app.cores() == 5);
            assertThat(flink.jobs("alice")).contains(first + " : first (RUNNING)", second + " : second (RUNNING)");

            flink.cancel("alice", second);
            Application.await(cluster, "session", "gives back two that are idle", app -> app.cores() == 3);
            assertThat(flink.jobs("alice"))
                    .contains(first + " : first (RUNNING)")
                    .doesNotContain("second");
            flink.cancel("alice", first);
            Application.await(cluster, "session", "is the JobManager alone again", app -> app.cores() == 1);

            flink.stop("alice");
            assertThat(Application.await(cluster, "session", "ends", Application::isOver)
                            .finalStatus())
                    .isEqualTo("SUCCEEDED");
        }
    }
}
