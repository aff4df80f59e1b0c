// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.heddle.testkit.Await;

/** The bridge as its README starts it, with other addresses. */
final class BridgeDaemon {
    private BridgeDaemon() {}

    static URI address(Cluster cluster, int index) {
        return URI.create("http://" + cluster.address("history") + ":" + (25_050 + index));
    }

    /**
     * The command of BridgeIT in documented-commands.txt; addresses of the machine are others', and the queue has
     * another name here.
     */
    static Daemon start(SharedCluster shared, String name, int index, String... keys) throws Exception {
        Cluster cluster = shared.cluster();
        Path work = Files.createDirectories(shared.work().resolve(name));
        for (String part : List.of("bin", "conf-samples")) {
            Files.createSymbolicLink(
                    work.resolve(part), shared.distribution().directory().resolve(part));
        }
        URI http = address(cluster, index);
        List<String> all = new ArrayList<>(List.of(keys));
        all.add("http.address=" + http.getAuthority());
        all.add("agent.address=" + http.getHost() + ":" + (25_060 + index));
        all.add("queues=*=root.other");
        StringBuilder line = new StringBuilder(
                "exec " + Documented.commandsOf("BridgeDaemon").get(0));
        all.forEach(key -> line.append(" -D heddle.bridge.").append(key));
        return cluster.command("bash", "-c", line).in(work).as("carol").start(name, work.resolve("bridge.log"));
    }

    static void awaitAnswer(Daemon bridge, URI address) {
        Await.until(
                "the bridge to answer",
                SharedCluster.PATIENCE,
                () -> {
                    assertThat(bridge.isAlive()).as(bridge.tail()).isTrue();
                    return Rest.get(address.resolve("/health")).statusCode() == 200;
                },
                bridge::tail);
    }
}
