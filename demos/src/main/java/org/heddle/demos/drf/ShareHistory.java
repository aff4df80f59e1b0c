// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.drf;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.heddle.demos.drf.ClusterRest.App;
import org.heddle.demos.drf.ClusterRest.Capacity;

/** Shares over time, and their time-weighted means over those times when all users had something pending. */
final class ShareHistory {
    private final List<String> users;
    private final double settleSeconds;
    private final List<Sample> samples = new ArrayList<>();
    private final Map<String, Double> weighted = new HashMap<>();
    private double measured;
    private double contended;

    /**
     * Starts empty.
     *
     * @param settleSeconds how long all users must have been backlogged before shares are measured: the time in which
     *     the first containers are handed out
     */
    public ShareHistory(List<String> users, double settleSeconds) {
        this.users = List.copyOf(users);
        this.settleSeconds = settleSeconds;
    }

    /**
     * The resources of one user at one time.
     *
     * @param share dominant share, 0 to 1
     * @param containers number of containers
     * @param pending number of requested tasks
     */
    record Holding(double share, int containers, int pending) {}

    /**
     * One look at the cluster.
     *
     * @param seconds since the start
     * @param holdings by user
     * @param measured whether it counts in the means
     */
    record Sample(double seconds, Map<String, Holding> holdings, boolean measured) {}

    /** Adds a look; what is seen is taken to have held since the look before. */
    Sample add(double seconds, Collection<App> apps, Capacity capacity) {
        Map<String, Holding> holdings = new LinkedHashMap<>();
        for (String user : users) {
            long memory = 0;
            long vcores = 0;
            int containers = 0;
            int pending = 0;
            for (App app : apps) {
                if (app.user().equals(user) && !app.isOver()) {
                    memory += app.memoryMb();
                    vcores += app.vcores();
                    containers += app.containers();
                    pending += app.asksForTasks() ? app.pending() : 0;
                }
            }
            double share = Math.max((double) memory / capacity.memoryMb(), (double) vcores / capacity.vcores());
            holdings.put(user, new Holding(share, containers, pending));
        }
        double interval = samples.isEmpty() ? 0 : seconds - last().seconds();
        boolean backlogged = holdings.values().stream().allMatch(holding -> holding.pending > 0);
        contended = backlogged ? contended + interval : contended;
        boolean counts = backlogged && contended > settleSeconds;
        if (counts) {
            measured += interval;
            holdings.forEach((user, holding) -> weighted.merge(user, holding.share * interval, Double::sum));
        }
        Sample sample = new Sample(seconds, holdings, counts);
        samples.add(sample);
        return sample;
    }

    List<Sample> samples() {
        return List.copyOf(samples);
    }

    Sample last() {
        return samples.get(samples.size() - 1);
    }

    /** Seconds over which shares were measured. */
    double measuredSeconds() {
        return measured;
    }

    /** Time-weighted mean dominant share; 0 before anything was measured. */
    double mean(String user) {
        return measured == 0 ? 0 : weighted.getOrDefault(user, 0.0) / measured;
    }
}
