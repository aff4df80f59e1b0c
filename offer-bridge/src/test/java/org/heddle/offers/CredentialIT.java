// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.IntSupplier;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.heddle.offers.fixture.BridgeProcess;
import org.heddle.offers.fixture.WireClient;
import org.heddle.offers.wire.Encoding;
import org.heddle.testkit.Await;
import org.heddle.testkit.HeddleCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The ResourceManager changes its keys, once a day as a rule and here after seconds. A bridge that comes after that
 * must have kept the credentials that were renewed, as those that its applications began with are refused.
 */
@Tag("soak")
class CredentialIT {
    private static final String EXPIRY_MILLIS = "3000";
    /** More than thrice the expiry, or the ResourceManager does not start. */
    private static final String KEY_SECONDS = "10";

    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .addressesAsNames()
            .nodes(2, Map.of("memory-mb", 2048L, "vcores", 4L))
            .property(YarnConfiguration.RM_AM_EXPIRY_INTERVAL_MS, EXPIRY_MILLIS)
            .property(YarnConfiguration.RM_NM_EXPIRY_INTERVAL_MS, EXPIRY_MILLIS)
            .property(YarnConfiguration.RM_AMRM_TOKEN_MASTER_KEY_ROLLING_INTERVAL_SECS, KEY_SECONDS)
            .property(YarnConfiguration.RM_NMTOKEN_MASTER_KEY_ROLLING_INTERVAL_SECS, KEY_SECONDS)
            .property(YarnConfiguration.RM_CONTAINER_TOKEN_MASTER_KEY_ROLLING_INTERVAL_SECS, KEY_SECONDS)
            .build();

    @Test
    void renewedCredentialsAreKept(@TempDir Path directory) throws Exception {
        FrameworkInfo info = WireClient.info("lasting")
                .setId(FrameworkID.newBuilder().setValue("lasting-1"))
                .setFailoverTimeout(600)
                .setCheckpoint(true)
                .build();
        try (BridgeProcess bridge = new BridgeProcess(cluster, directory)) {
            String first;
            try (WireClient client = new WireClient(bridge.address(), Encoding.PROTOBUF).subscribe(info)) {
                Offer offer = client.awaitOffer();
                first = offer.getHostname();
                client.launch(offer, 600, WireClient.task("before", offer, "sleep 1000", 0.1, 32));
                client.awaitStatus("before", TaskState.TASK_RUNNING);
                RMContext manager = cluster.resourceManager().getRMContext();
                awaitTwoChanges(
                        "master's key",
                        () -> manager.getAMRMTokenSecretManager()
                                .getMasterKey()
                                .getMasterKey()
                                .getKeyId());
                awaitTwoChanges(
                        "key of nodes",
                        () -> manager.getNMTokenSecretManager().getCurrentKey().getKeyId());
            }
            bridge.replace();
            try (WireClient client = new WireClient(bridge.address(), Encoding.PROTOBUF).subscribe(info)) {
                launchElsewhere(client, first);
                client.awaitStatus("after", TaskState.TASK_RUNNING);
                client.kill("before");
                client.awaitStatus("before", TaskState.TASK_KILLED);
            }
        }
    }

    private static void awaitTwoChanges(String what, IntSupplier key) {
        int begin = key.getAsInt();
        Await.until("the " + what + " to change", Duration.ofSeconds(30), () -> key.getAsInt() != begin);
        int next = key.getAsInt();
        Await.until("the " + what + " to change again", Duration.ofSeconds(30), () -> key.getAsInt() != next);
    }

    /** On the other node, where no agent runs yet: so the node must let the bridge start a container. */
    private static void launchElsewhere(WireClient client, String host) throws InterruptedException {
        while (true) {
            Event event = client.await(one -> one.getType() == Event.Type.OFFERS);
            for (Offer offer : event.getOffers().getOffersList()) {
                if (!offer.getHostname().equals(host)) {
                    assertThat(client.launch(offer, 600, WireClient.task("after", offer, "sleep 1000", 0.1, 32)))
                            .isEqualTo(202);
                    return;
                }
                client.decline(offer, 600);
            }
        }
    }
}
