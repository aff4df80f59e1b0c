// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.heddle.offers.model.AskPlan;
import org.heddle.offers.model.Bundle;

/** Grants at once, one container for each that is asked for, at most three at a time. */
public final class GenerousCluster extends StubCluster {
    private Cluster.Events events = new NoEvents();
    private long containers;

    public void wire(Cluster.Events to) {
        events = to;
    }

    @Override
    public void start(AppSpec spec) {
        events.started(
                spec.key(),
                new KnownApp("application_1_0001", new byte[0], Bundle.NONE),
                Bundle.of(8000, 8192),
                List.of());
        events.headroom(spec.key(), Bundle.of(100_000, 100_000));
    }

    @Override
    public void ask(AppKey key, AskPlan plan, Set<String> refusedHosts) {
        List<Grant> grants = new ArrayList<>();
        for (int i = 0; i < Math.min(3, plan.count()); i++) {
            long number = containers++;
            grants.add(new Grant("container_" + number, "node" + number % 3 + ":1", "node" + number % 3, plan.size()));
        }
        if (!grants.isEmpty() && containers < 200_000) {
            events.granted(key, grants);
        }
    }
}
