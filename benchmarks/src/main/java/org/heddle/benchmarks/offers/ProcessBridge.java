// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.heddle.offers.Main;
import org.heddle.testkit.Await;
import org.heddle.testkit.ProcessCluster;

/** The offer bridge as one of the daemons of a cluster of processes, with its log on a local disk. */
public final class ProcessBridge {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int PORT = 5050;

    private ProcessBridge() {}

    /**
     * Starts it and waits until it answers.
     *
     * @param settings more keys with their values, such as {@code heddle.bridge.queue.other=root.offers}
     */
    public static void start(ProcessCluster cluster, String... settings) throws IOException {
        Path state = Files.createDirectories(cluster.home().resolve("bridge-state"));
        List<String> arguments = new ArrayList<>(List.of("--define=heddle.bridge.state.dir=" + state));
        for (String setting : settings) {
            arguments.add("--define=" + setting);
        }
        cluster.startBridge(Main.class.getName(), arguments);
        await(cluster);
    }

    /** Waits until it answers; when it is killed, frameworks that run go on, and none can start. */
    public static void await(ProcessCluster cluster) {
        Await.until(
                "the bridge to answer",
                PATIENCE,
                () -> cluster.get(uri(cluster).resolve("/health")).isEmpty()); // 200
    }

    /** The address for frameworks. */
    public static URI uri(ProcessCluster cluster) {
        return URI.create("http://" + cluster.daemon("bridge").address() + ":" + PORT);
    }
}
