// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.heddle.offers.fixture.StubCluster;
import org.heddle.offers.master.cluster.AllocatedContainer;
import org.heddle.offers.master.cluster.ApplicationKey;
import org.heddle.offers.master.cluster.ApplicationRecord;
import org.heddle.offers.master.cluster.Cluster;
import org.heddle.offers.master.cluster.NoEvents;
import org.heddle.offers.model.ContainerAsk;
import org.heddle.offers.model.Resources;

/** Allocates at once what it is asked for, at most three containers at a time. */
public final class GenerousCluster extends StubCluster {
    private Cluster.Events events = new NoEvents();
    private long containers;

    public void setEvents(Cluster.Events to) {
        events = to;
    }

    @Override
    public void start(AppSpec spec) {
        events.started(
                spec.key(),
                new ApplicationRecord("application_1_0001", new byte[0], Resources.NONE),
                Resources.of(8000, 8192),
                List.of());
        events.headroom(spec.key(), Resources.of(100_000, 100_000));
    }

    @Override
    public void ask(ApplicationKey key, ContainerAsk plan, Set<String> refusedHosts) {
        List<AllocatedContainer> allocated = new ArrayList<>();
        for (int i = 0; i < Math.min(3, plan.count()); i++) {
            long number = containers++;
            allocated.add(new AllocatedContainer(
                    "container_" + number, "node" + number % 3 + ":1", "node" + number % 3, plan.size()));
        }
        if (!allocated.isEmpty() && containers < 200_000) {
            events.granted(key, allocated);
        }
    }
}
