// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.soak;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.heddle.testkit.ProcessCluster;

/** Ends a daemon at random with {@code kill -9}, and starts it again at the next step. */
final class Killer {
    private final ProcessCluster cluster;
    private final SplittableRandom random;
    private final Map<String, Integer> kills = new LinkedHashMap<>();
    private boolean down;

    Killer(ProcessCluster cluster, long seed) {
        this.cluster = cluster;
        this.random = new SplittableRandom(seed);
        cluster.daemons().stream().filter(name -> !name.equals("format")).forEach(name -> kills.put(name, 0));
    }

    /** Kills one daemon, or starts the one that was killed last. */
    void step() throws IOException {
        if (down) {
            cluster.startStopped();
        } else {
            String name = List.copyOf(kills.keySet()).get(random.nextInt(kills.size()));
            cluster.daemon(name).kill();
            kills.merge(name, 1, Integer::sum);
        }
        down = !down;
    }

    /** From each daemon to how often it was killed. */
    Map<String, Integer> kills() {
        return kills;
    }
}
