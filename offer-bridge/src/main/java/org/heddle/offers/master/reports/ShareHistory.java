// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.reports;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.Framework;
import org.heddle.offers.master.state.FrameworkRole;
import org.heddle.offers.model.Resources;

/** The dominant shares of frameworks in the last 15 minutes; offered resources count as used. */
public final class ShareHistory {
    public static final long EVERY_MILLIS = 2_000;
    /** 15 minutes. */
    private static final int MOST = 450;

    record Sample(long time, Map<String, Double> shares) {}

    private final Deque<Sample> samples = new ArrayDeque<>();

    Deque<Sample> samples() {
        return samples;
    }

    public void record(ClusterState state, long date) {
        Resources total = state.total();
        Map<String, Double> shares = new LinkedHashMap<>();
        for (Framework framework : state.frameworks().values()) {
            shares.put(framework.id(), share(framework, total));
        }
        samples.addLast(new Sample(date, shares));
        if (samples.size() > MOST) {
            samples.removeFirst();
        }
    }

    /** The larger of the shares of all CPUs and of all memory; 0 if the cluster is empty. */
    static double share(Framework framework, Resources cluster) {
        Resources held = Resources.NONE;
        for (FrameworkRole role : framework.roles().values()) {
            held = held.plus(role.held().withGpus(0));
        }
        return held.dominantShare(cluster);
    }
}
