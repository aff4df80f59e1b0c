// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.apache.hadoop.yarn.server.api.protocolrecords.RefreshQueuesRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.heddle.scheduler.yarn.RmFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file changes while the ResourceManager runs. */
class ReconfigurationTest {
    private static final String A = "127.1.0.1";

    @TempDir
    Path directory;

    private static String tree(String queues) {
        return "<heddle-scheduler version=\"1\"><queue name=\"root\">" + queues + "</queue></heddle-scheduler>";
    }

    @Test
    void weightsAndNewQueuesCountAtOnce() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, tree("<queue name=\"a\"/><queue name=\"b\"/>"))) {
            fixture.node(A, 8_000, 8);
            RmFixture.App a = fixture.unmanaged("alice", "a");
            RmFixture.App b = fixture.unmanaged("bob", "b");
            a.ask(9, 1_000, 1);
            b.ask(9, 1_000, 1);
            refresh(
                    fixture,
                    tree("<queue name=\"a\"><weight>3</weight></queue><queue name=\"b\"/><queue name=\"c\"/>"));
            fixture.heartbeat();
            assertThat(a.collect().containers).hasSize(6);
            assertThat(b.collect().containers).hasSize(2);
            RmFixture.App c = fixture.unmanaged("eve", "c").ask(1, 1_000, 1);
            assertThat(a.collect().containers).hasSize(6);
            a.release(a.ids().get(0));
            fixture.heartbeat();
            assertThat(c.collect().containers).hasSize(1);
            a.end();
            b.end();
            c.end();
            fixture.assertNothingLeft();
        }
    }

    @Test
    void anEmptyQueueGoesAndOneInUseKeepsTheWholeFileOut() throws Exception {
        String before = tree("<queue name=\"a\"/><queue name=\"b\"/>");
        try (RmFixture fixture = new RmFixture(directory, before)) {
            fixture.node(A, 8_000, 8);
            RmFixture.App app = fixture.unmanaged("alice", "b").ask(2, 1_000, 1);
            String without = tree("<queue name=\"a\"><weight>5</weight></queue>");
            assertThatThrownBy(() -> refresh(fixture, without))
                    .hasMessageContaining("queue root.b has 1 applications and would no longer be a leaf queue");
            assertThat(fixture.schedulable("a").weight())
                    .as("nothing of it counts")
                    .isEqualTo(1);
            assertThat(fixture.scheduler().takeSnapshot().configuration().problem())
                    .contains("queue root.b has 1 applications");
            fixture.heartbeat();
            assertThat(app.collect().containers).hasSize(2);
            app.end();
            refresh(fixture, without);
            assertThat(fixture.schedulable("").children()).hasSize(1);
            assertThat(fixture.schedulable("a").weight()).isEqualTo(5);
            assertThat(fixture.scheduler().takeSnapshot().configuration().problem())
                    .isNull();
            RMApp late = fixture.submit("alice", "b", 100);
            fixture.rm.waitForState(late.getApplicationId(), RMAppState.FAILED);
            assertThat(late.getDiagnostics()).contains("unknown queue: b");
        }
    }

    @Test
    void aBrokenFileLeavesTheLastGoodOneInForceAndSaysWhatIsWrong() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, tree("<queue name=\"a\"/>"))) {
            assertThatThrownBy(() -> refresh(fixture, tree("<queue name=\"a\"><weight>-2</weight></queue>")))
                    .hasMessageContaining("-2");
            assertThat(fixture.scheduler().takeSnapshot().configuration().problem())
                    .contains("-2");
            assertThat(fixture.schedulable("a").weight()).isEqualTo(1);
        }
    }

    @Test
    void aChangedFileIsFoundWithoutBeingToldOf() throws Exception {
        // Only the test looks: a look that the scheduler's own thread has begun would not be waited for.
        try (RmFixture fixture = new RmFixture(
                directory, tree("<queue name=\"a\"/>"), "yarn.scheduler.heddle.update-interval-ms", "0")) {
            fixture.scheduler().update();
            fixture.write(tree("<queue name=\"a\"><weight>4</weight></queue>"));
            fixture.scheduler().update();
            assertThat(fixture.schedulable("a").weight())
                    .as("not looked at yet")
                    .isEqualTo(1);
            fixture.clock.tick(10_000);
            fixture.scheduler().update();
            assertThat(fixture.schedulable("a").weight()).isEqualTo(4);
            fixture.write("<heddle-scheduler");
            fixture.clock.tick(10_000);
            fixture.scheduler().update();
            assertThat(fixture.schedulable("a").weight()).isEqualTo(4);
            assertThat(fixture.scheduler().takeSnapshot().configuration().problem())
                    .isNotNull();
        }
    }

    @Test
    void atStartABrokenFileRefusesInOneLine() {
        assertThatThrownBy(() -> new RmFixture(directory, tree("<queue name=\"a\"><weight>heavy</weight></queue>")))
                .rootCause()
                .message()
                .contains("heddle-scheduler.xml", "heavy")
                .doesNotContain("\n");
    }

    private static void refresh(RmFixture fixture, String xml) throws Exception {
        fixture.write(xml);
        fixture.rm.getAdminService().refreshQueues(RefreshQueuesRequest.newInstance());
    }
}
