// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.yarn.api.records.QueueState;
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
    void aRemovedQueueWithAnApplicationDrainsAndTheRestOfTheFileCounts() throws Exception {
        String before = tree("<queue name=\"old\"/><queue name=\"b\"/>");
        String after = tree("<queue name=\"b\"><weight>3</weight></queue><queue name=\"new\"/>");
        try (RmFixture fixture = new RmFixture(directory, before)) {
            fixture.node(A, 8_000, 8);
            RmFixture.App app = fixture.unmanaged("alice", "old");
            refresh(fixture, after);
            assertThat(fixture.schedulable("b").weight()).isEqualTo(3);
            fixture.unmanaged("bob", "new").end();
            assertThat(fixture.scheduler().takeSnapshot().configuration().problem())
                    .isNull();
            app.ask(2, 1_000, 1);
            fixture.heartbeat();
            assertThat(app.collect().containers).as("it continues").hasSize(2);
            assertThat(state(fixture, "root.old")).isEqualTo(QueueState.DRAINING);
            assertThatThrownBy(() -> fixture.submit("bob", "old", 100))
                    .rootCause()
                    .hasMessageEndingWith(
                            "queue root.old is no longer in the configuration file and is removed when its"
                                    + " last application has ended; name another queue");
            RmFixture.App other = fixture.unmanaged("bob", "b");
            assertThatThrownBy(() -> fixture.scheduler().moveApplication(other.id(), "root.old"))
                    .hasMessageContaining("queue root.old is no longer in the configuration file");

            refresh(fixture, before);
            assertThat(state(fixture, "root.old")).as("it is back").isEqualTo(QueueState.RUNNING);
            fixture.unmanaged("bob", "old").end();
            refresh(fixture, after);
            refresh(fixture, after + " ");
            app.end();
            other.end();
            fixture.scheduler().update();
            assertThat(fixture.scheduler().queues())
                    .extracting(HeddleQueue::getQueueName)
                    .doesNotContain("root.old");
            RMApp late = fixture.submit("alice", "old", 100);
            fixture.rm.waitForState(late.getApplicationId(), RMAppState.FAILED);
            assertThat(late.getDiagnostics()).contains("unknown queue: old");
        }
    }

    @Test
    void aQueueWhoseDivisionIsNotThatOfNewQueuesDrainsAndNewQueuesStayNewQueues() throws Exception {
        String rules = "<new-queues><divide-by>applications</divide-by></new-queues><placement><specified"
                + " missing=\"pass\"/><user missing=\"create\"/></placement>";
        String before = tree("<queue name=\"a\"><queue name=\"inside\"/></queue><queue name=\"b\"/>")
                .replaceFirst("<queue", rules + "$0");
        String after = tree("<queue name=\"b\"/>").replaceFirst("<queue", rules + "$0");
        try (RmFixture fixture = new RmFixture(directory, before)) {
            fixture.node(A, 8_000, 8);
            RmFixture.App inside = fixture.unmanaged("alice", "root.a.inside");
            RmFixture.App made = fixture.unmanaged("carol", "default");
            refresh(fixture, after);
            assertThat(state(fixture, "root.a.inside")).isEqualTo(QueueState.DRAINING);
            assertThat(state(fixture, "root.carol")).isEqualTo(QueueState.RUNNING);
            RmFixture.App elsewhere = fixture.unmanaged("bob", "root.a.inside");
            assertThat(elsewhere.app.getQueue()).as("the next step is tried").isEqualTo("root.bob");
            for (RmFixture.App app : List.of(inside, made, elsewhere)) {
                app.end();
            }
            fixture.scheduler().update();
            assertThat(fixture.scheduler().queues())
                    .extracting(HeddleQueue::getQueueName)
                    .containsExactlyInAnyOrder("root", "root.b");
        }
    }

    @Test
    void aFileThatMakesALeafOfAQueueAboveAnApplicationIsRefusedWithTheWayOut() throws Exception {
        String before = tree("<queue name=\"a\"><queue name=\"inside\"/></queue><queue name=\"b\"/>");
        String leaf = "<queue name=\"a\"/><queue name=\"b\"><weight>5</weight></queue>";
        try (RmFixture fixture = new RmFixture(directory, before)) {
            fixture.node(A, 8_000, 8);
            RmFixture.App app = fixture.unmanaged("alice", "root.a.inside");
            assertThatThrownBy(() -> refresh(fixture, tree(leaf)))
                    .hasMessageContaining("queue root.a.inside has 1 applications and is no longer in the file, which"
                            + " makes root.a above it a leaf: write <queue name=\"a\" type=\"parent\"> until they have"
                            + " ended, or move the applications (yarn application -changeQueue)");
            assertThat(fixture.schedulable("b").weight())
                    .as("nothing of it counts")
                    .isEqualTo(1);
            assertThat(fixture.scheduler().takeSnapshot().configuration().problem())
                    .contains("queue root.a.inside has 1 applications");
            refresh(fixture, tree(leaf.replace("\"a\"", "\"a\" type=\"parent\"")));
            assertThat(fixture.schedulable("b").weight()).isEqualTo(5);
            app.end();
            fixture.scheduler().update();
            refresh(fixture, tree(leaf));
            fixture.unmanaged("alice", "root.a").end();
            fixture.assertNothingLeft();
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

    private static QueueState state(RmFixture fixture, String queue) throws Exception {
        return fixture.scheduler().getQueueInfo(queue, false, false).getQueueState();
    }

    private static void refresh(RmFixture fixture, String xml) throws Exception {
        fixture.write(xml);
        fixture.rm.getAdminService().refreshQueues(RefreshQueuesRequest.newInstance());
    }
}
