// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers.emulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.mesos.v1.Protos.AgentID;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.OfferID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SingleTasksTest {
    private static final Offer ENDED = Offer.newBuilder()
            .setId(OfferID.newBuilder().setValue("ended"))
            .setFrameworkId(FrameworkID.newBuilder().setValue("single"))
            .setAgentId(AgentID.newBuilder().setValue("n0"))
            .setHostname("n0")
            .build();

    @Test
    void aTaskWhoseOfferHasEndedIsLaunchedOnTheNextOne(@TempDir Path directory) throws Exception {
        try (EmulatedCluster cluster = new EmulatedCluster(new Scenario(1, 0, 1, 1_000, 1), directory)) {
            SingleTasks single = cluster.single();
            single.offered(ENDED);
            single.subscribe();
            assertThat(single.overhead()).isPositive();
            assertThat(cluster.lateLaunches()).isEqualTo(1);
            cluster.check();
        }
    }
}
