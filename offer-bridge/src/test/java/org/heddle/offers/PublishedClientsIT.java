// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.heddle.offers.fixture.PublishedClients;
import org.heddle.offers.fixture.TestBridges;
import org.heddle.testkit.HeddleCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link PublishedClients} as programs of their own, under three schedulers. */
class PublishedClientsIT {
    private static final int RUNS = Integer.getInteger("heddle.offers.client.runs", 5);

    @Test
    void rxJava(@TempDir Path directory) throws Exception {
        rxJavaUnder("org.heddle.drf.DrfScheduler", directory);
    }

    @ParameterizedTest
    @Tag("long-3")
    @ValueSource(
            strings = {
                "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler",
                "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler"
            })
    void rxJavaUnder(String scheduler, @TempDir Path directory) throws Exception {
        PublishedClients clients = new PublishedClients(directory, UnaryOperator.identity());
        try (HeddleCluster cluster = start(scheduler);
                Bridge bridge = Bridge.start(TestBridges.settings(directory, 0, 0), cluster.configuration())) {
            URI address = URI.create("http://127.0.0.1:" + bridge.httpAddress().getPort() + "/api/v1/scheduler");
            for (int run = 0; run < RUNS; run++) {
                assertThat(clients.rxJava(address, 5)).contains("DONE").contains("long TASK_KILLED");
            }
        }
    }

    @Test
    void node(@TempDir Path directory) throws Exception {
        nodeUnder("org.heddle.drf.DrfScheduler", directory);
    }

    @ParameterizedTest
    @Tag("long-3")
    @ValueSource(
            strings = {
                "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler",
                "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler"
            })
    void nodeUnder(String scheduler, @TempDir Path directory) throws Exception {
        PublishedClients clients = new PublishedClients(directory, UnaryOperator.identity());
        clients.installNode();
        try (HeddleCluster cluster = start(scheduler);
                Bridge bridge = Bridge.start(TestBridges.settings(directory, 0, 0), cluster.configuration())) {
            int port = bridge.httpAddress().getPort();
            for (int run = 0; run < RUNS; run++) {
                assertThat(clients.nodeCommands("127.0.0.1", port, "", 4)).contains("DONE");
                assertThat(clients.nodeCustom("127.0.0.1", port, "", 6))
                        .contains("DONE")
                        .contains("message: echo hello");
            }
        }
    }

    private static HeddleCluster start(String scheduler) throws Exception {
        HeddleCluster cluster = HeddleCluster.builder()
                .scheduler(scheduler)
                .nodes(2, Map.of("memory-mb", 4096L, "vcores", 4L))
                .build();
        cluster.start();
        return cluster;
    }
}
