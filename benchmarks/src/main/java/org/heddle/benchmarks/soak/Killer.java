// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.soak;

import java.io.IOException;
import java.util.ArrayList;
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
    private final List<Outage> outages = new ArrayList<>();
    private double downSince = Double.NaN;

    /** The time, in seconds, in which a daemon did not run. */
    record Outage(double from, double to) {}

    Killer(ProcessCluster cluster, long seed) {
        this.cluster = cluster;
        this.random = new SplittableRandom(seed);
        cluster.daemons().stream().filter(name -> !name.equals("format")).forEach(name -> kills.put(name, 0));
    }

    /** Kills one daemon, or starts the one that was killed last. */
    void step(double second) throws IOException {
        if (Double.isNaN(downSince)) {
            String name = List.copyOf(kills.keySet()).get(random.nextInt(kills.size()));
            cluster.daemon(name).kill();
            kills.merge(name, 1, Integer::sum);
            downSince = second;
        } else {
            end(second);
        }
    }

    /** Starts the daemon that does not run, if there is one. */
    void end(double second) throws IOException {
        cluster.startStopped();
        if (!Double.isNaN(downSince)) {
            outages.add(new Outage(downSince, second));
            downSince = Double.NaN;
        }
    }

    /** From each daemon to how often it was killed. */
    Map<String, Integer> kills() {
        return kills;
    }

    List<Outage> outages() {
        return outages;
    }
}
