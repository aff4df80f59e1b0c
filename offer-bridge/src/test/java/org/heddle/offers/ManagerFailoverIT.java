// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.heddle.offers.fixture.TestBridges;
import org.heddle.offers.fixture.WireClient;
import org.heddle.offers.wire.Encoding;
import org.heddle.testkit.Await;
import org.heddle.testkit.ProcessCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two ResourceManagers as processes: the active one is killed while tasks run, twice. */
@Tag("soak")
class ManagerFailoverIT {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @Test
    void runningTasksDoNotNotice(@TempDir Path directory) throws Exception {
        try (ProcessCluster cluster = ProcessCluster.builder().nodes(2, 4096, 8).start()) {
            try (Bridge bridge = Bridge.start(TestBridges.settings(directory, 0, 0), cluster.configuration());
                    WireClient client = new WireClient(bridge.httpAddress(), Encoding.PROTOBUF)
                            .subscribe(WireClient.info("steady").build())) {
                List<String> running = new ArrayList<>();
                for (int round = 0; round < 3; round++) {
                    String id = "steady-" + round;
                    Offer offer = client.await(event -> event.getType() == Event.Type.OFFERS, PATIENCE)
                            .getOffers()
                            .getOffers(0);
                    TaskInfo task = WireClient.task(id, offer, "while [ ! -e stop ]; do sleep 0.2; done", 0.5, 64);
                    assertThat(client.launch(offer, 0, task)).isEqualTo(202);
                    client.awaitStatus(id, TaskState.TASK_RUNNING);
                    running.add(id);
                    if (round < 2) {
                        String active = cluster.awaitActiveManager();
                        cluster.daemon(active).kill();
                        assertThat(cluster.awaitActiveManager()).isNotEqualTo(active);
                        cluster.daemon(active).start();
                    }
                }
                for (String id : running) {
                    client.kill(id);
                    client.awaitStatus(id, TaskState.TASK_KILLED);
                }
                assertThat(client.seen())
                        .filteredOn(Event::hasUpdate)
                        .extracting(event -> event.getUpdate().getStatus().getState())
                        .containsOnly(TaskState.TASK_RUNNING, TaskState.TASK_KILLED);
            }
        }
    }

    /** Its application is one that has ended, not one that was lost. */
    @Test
    void aFrameworkMayEndBeforeTheOtherManagerLeads(@TempDir Path directory) throws Exception {
        try (ProcessCluster cluster = ProcessCluster.builder().nodes(1, 4096, 8).start();
                YarnClient yarn = YarnClient.createYarnClient()) {
            yarn.init(cluster.configuration());
            yarn.start();
            try (Bridge bridge = Bridge.start(TestBridges.settings(directory, 0, 0), cluster.configuration());
                    WireClient client = new WireClient(bridge.httpAddress(), Encoding.PROTOBUF)
                            .subscribe(WireClient.info("brief").build())) {
                client.await(event -> event.getType() == Event.Type.OFFERS, PATIENCE);
                String active = cluster.awaitActiveManager();
                cluster.daemon(active).kill();
                client.send(Call.newBuilder().setType(Call.Type.TEARDOWN));
                Await.until(
                        "the application to end",
                        PATIENCE,
                        () -> yarn.getApplications().stream()
                                .map(ApplicationReport::getFinalApplicationStatus)
                                .anyMatch(status -> status != FinalApplicationStatus.UNDEFINED));
                assertThat(yarn.getApplications())
                        .extracting(ApplicationReport::getName, ApplicationReport::getFinalApplicationStatus)
                        .containsExactly(tuple("brief", FinalApplicationStatus.SUCCEEDED));
            }
        }
    }
}
