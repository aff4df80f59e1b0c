// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.apache.hadoop.yarn.api.records.QueueState;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.protocolrecords.RefreshQueuesRequest;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.MemoryRMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.heddle.scheduler.yarn.RmFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queues that take no more applications: stopped ones, and those with max-applications. */
class QueueStateTest {
    private static final String A = "127.1.0.1";

    @TempDir
    Path directory;

    private static String tree(String lab, String shop) {
        return "<heddle-scheduler version=\"1\"><queue name=\"root\"><queue name=\"lab\">" + lab
                + "<queue name=\"day\"/><queue name=\"night\"/></queue><queue name=\"shop\">" + shop
                + "</queue></queue></heddle-scheduler>";
    }

    private static QueueState state(RmFixture fixture, String queue) throws Exception {
        return fixture.scheduler().getQueueInfo(queue, false, false).getQueueState();
    }

    private static void refresh(RmFixture fixture, String xml) throws Exception {
        fixture.write(xml);
        fixture.rm.getAdminService().refreshQueues(RefreshQueuesRequest.newInstance());
    }

    @Test
    void aStoppedQueueDrainsAndTakesApplicationsAgainWhenItRuns() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, tree("", ""))) {
            fixture.node(A, 8_000, 8);
            RmFixture.App running = fixture.unmanaged("alice", "root.lab.day");
            assertThat(state(fixture, "root.lab.day")).isEqualTo(QueueState.RUNNING);
            refresh(fixture, tree("<state>stopped</state>", ""));

            assertThat(state(fixture, "root.lab")).isEqualTo(QueueState.DRAINING);
            assertThat(state(fixture, "root.lab.day")).isEqualTo(QueueState.DRAINING);
            assertThat(state(fixture, "root.lab.night")).isEqualTo(QueueState.STOPPED);
            assertThat(state(fixture, "root.shop")).isEqualTo(QueueState.RUNNING);
            String sentence = "is refused: queue root.lab is stopped; it takes applications again when an administrator"
                    + " sets its <state> to running";
            assertThatThrownBy(() -> fixture.submit("bob", "root.lab.night", 100))
                    .rootCause()
                    .hasMessageEndingWith(sentence);
            running.ask(2, 1_000, 1);
            fixture.heartbeat();
            assertThat(running.collect().containers).as("it continues").hasSize(2);

            running.end();
            assertThat(state(fixture, "root.lab")).isEqualTo(QueueState.STOPPED);
            refresh(fixture, tree("<state>running</state>", ""));
            fixture.unmanaged("bob", "root.lab.day").end();
            fixture.assertNothingLeft();
        }
    }

    @Test
    void applicationsMoveOutOfAStoppedQueueButNotIntoIt() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, tree("", ""))) {
            fixture.node(A, 8_000, 8);
            RmFixture.App inside = fixture.unmanaged("alice", "root.lab.day");
            RmFixture.App outside = fixture.unmanaged("bob", "root.shop");
            refresh(fixture, tree("<state>stopped</state>", ""));
            assertThatThrownBy(() -> fixture.scheduler().moveApplication(outside.id(), "root.lab.day"))
                    .hasMessageContaining("cannot be moved: queue root.lab is stopped");
            assertThat(fixture.scheduler().moveApplication(inside.id(), "root.lab.night"))
                    .as("within the stopped queue")
                    .isEqualTo("root.lab.night");
            assertThat(fixture.scheduler().moveApplication(inside.id(), "root.shop"))
                    .isEqualTo("root.shop");
        }
    }

    @Test
    void applicationsOfAStoppedQueueAreRecovered() throws Exception {
        MemoryRMStateStore store = new MemoryRMStateStore();
        store.init(new YarnConfiguration());
        try (RmFixture fixture =
                new RmFixture(directory, tree("", ""), store, "yarn.resourcemanager.recovery.enabled", "true")) {
            fixture.node(A, 8_000, 8);
            RmFixture.App app = fixture.managed("alice", "root.lab.day", 1_000);
            fixture.write(tree("<state>stopped</state>", "<max-applications>0</max-applications>"));
            fixture.restart(store);
            assertThat(fixture.rm.getRMContext().getRMApps().get(app.id()))
                    .extracting(RMApp::getState)
                    .isNotIn(RMAppState.FAILED, RMAppState.KILLED);
            assertThat(state(fixture, "root.lab.day")).isEqualTo(QueueState.DRAINING);
        }
    }

    @Test
    void furtherApplicationsThanTheMaximumAreRefused() throws Exception {
        try (RmFixture fixture = new RmFixture(
                directory, tree("<max-applications>2</max-applications>", "<max-applications>1</max-applications>"))) {
            fixture.node(A, 8_000, 8);
            RmFixture.App first = fixture.unmanaged("alice", "root.lab.day");
            fixture.submit("bob", "root.lab.night", 100);
            fixture.rm.drainEvents();
            assertThatThrownBy(() -> fixture.submit("alice", "root.lab.day", 100))
                    .rootCause()
                    .hasMessageEndingWith("is refused: queue root.lab has 2 applications, running and waiting, and its"
                            + " <max-applications> is 2; submit again when one has ended");
            RmFixture.App third = fixture.unmanaged("carol", "root.shop");
            assertThatThrownBy(() -> fixture.scheduler().moveApplication(third.id(), "root.lab.day"))
                    .hasMessageContaining("cannot be moved: queue root.lab has 2 applications");
            assertThat(fixture.scheduler().moveApplication(first.id(), "root.lab.night"))
                    .as("the full queue has it already")
                    .isEqualTo("root.lab.night");
            first.end();
            fixture.unmanaged("alice", "root.lab.day").end();
        }
    }
}
