// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.offers;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.heddle.demos.drf.ClusterRest;
import org.heddle.demos.drf.ClusterRest.App;
import org.heddle.demos.drf.ClusterRest.Capacity;

/** Reads dominant shares from the ResourceManager's REST API. */
final class Shares {
    private final ClusterRest rest;
    private final Capacity capacity;

    Shares(String webAddress) throws IOException, InterruptedException {
        this.rest = new ClusterRest(webAddress);
        this.capacity = rest.capacity();
    }

    /** Dominant shares, 0 to 1, by the names of the applications that are not over. */
    Map<String, Double> now() throws IOException, InterruptedException {
        Map<String, Double> shares = new LinkedHashMap<>();
        for (App app : rest.apps().values()) {
            if (!app.isOver()) {
                double share = Math.max(
                        (double) app.memoryMb() / capacity.memoryMb(), (double) app.vcores() / capacity.vcores());
                shares.merge(app.name(), share, Double::sum);
            }
        }
        return shares;
    }

    /** vcores of the cluster. */
    long vcores() {
        return capacity.vcores();
    }
}
