// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.heddle.scheduler.yarn.RmFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a heartbeat of a node that is held for a container as large as the node allocates: nothing began or ended since
 * the last one, an eighth of the node is free, and what others ask for would run for too long to use that. Bytes need no
 * quiet machine.
 */
@Tag("newer-line")
class HeldNodeBudgetTest {
    private static final String HOST = "127.0.0.1";
    private static final int HEARTBEATS = 2_000;
    private static final long LIFETIME = 300_000;

    /** Bytes of a heartbeat without a reservation, and for each container of a held node. */
    private static final double OF_HEARTBEAT = 2_500;

    private static final double OF_CONTAINER = 150;

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"16, false", "16, true", "64, true"})
    void aHeartbeatAllocatesWithinItsBudget(int containers, boolean held) throws Exception {
        String spec = "<heddle-scheduler version=\"1\"><queue name=\"root\"><queue name=\"small\"/>"
                + "<queue name=\"large\"/></queue></heddle-scheduler>";
        try (RmFixture fixture = new RmFixture(
                directory, RmFixture.atHeartbeats(spec), "yarn.scheduler.heddle.update-interval-ms", "0")) {
            fixture.node(HOST, containers * 1_000, containers);
            RmFixture.App small = fixture.unmanaged("alice", "root.small").ask(10 * containers, 1_000, 1);
            fixture.heartbeat();
            assertThat(small.collect().containers).hasSize(containers);
            if (held) {
                fixture.unmanaged("bob", "root.large").ask(1, containers * 1_000, containers);
                for (int i = 0; i < 10; i++) {
                    fixture.heartbeat(); // it is passed over
                }
                fixture.clock.tick(LIFETIME);
                for (int i = 0; i < containers / 8; i++) {
                    small.release(small.ids().get(i));
                }
                fixture.heartbeat();
            }
            assertThat(fixture.seen(HOST).getReservedContainer() != null).isEqualTo(held);
            double bytes = bytesOfHeartbeat(fixture);
            System.out.printf("a heartbeat of %d containers, held %b: %.0f bytes%n", containers, held, bytes);
            assertThat(fixture.seen(HOST).getReservedContainer() != null).isEqualTo(held);
            assertThat(bytes).isLessThan(OF_HEARTBEAT + (held ? OF_CONTAINER * containers : 0));
        }
    }

    private static double bytesOfHeartbeat(RmFixture fixture) {
        RMNode node =
                fixture.rm.getRMContext().getRMNodes().get(fixture.node(HOST).getNodeId());
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = 0;
        for (int i = 0; i < 2 * HEARTBEATS; i++) {
            if (i == HEARTBEATS) { // before that the compiler is at work
                before = threads.getCurrentThreadAllocatedBytes();
            }
            fixture.scheduler().handle(new NodeUpdateSchedulerEvent(node));
        }
        return (double) (threads.getCurrentThreadAllocatedBytes() - before) / HEARTBEATS;
    }
}
