// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.soak;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.heddle.offers.Main;
import org.heddle.testkit.Await;
import org.heddle.testkit.ProcessCluster;

/** The offer bridge as one of the daemons, in the queue of an account of its own. */
final class Offers {
    static final String QUEUE = "offers";

    private Offers() {}

    /** Starts it and waits until it answers. */
    static void start(ProcessCluster cluster) throws IOException {
        Path state = Files.createDirectories(cluster.home().resolve("bridge-state"));
        cluster.startBridge(
                Main.class.getName(),
                List.of(
                        "--define=heddle.bridge.state.dir=" + state,
                        "--define=heddle.bridge.queues=*=root." + QUEUE,
                        "--define=heddle.bridge.queue.other=root." + QUEUE));
        await(cluster);
    }

    /** Waits until it answers; when it is killed, frameworks that run go on, and none can start. */
    static void await(ProcessCluster cluster) throws IOException {
        Await.until(
                "the bridge to answer",
                Duration.ofMinutes(2),
                () -> cluster.get(uri(cluster).resolve("/health")).isEmpty()); // 200
    }

    static URI uri(ProcessCluster cluster) {
        return URI.create("http://" + cluster.daemon("bridge").address() + ":5050");
    }
}
