// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.offers.model.PortRange;
import org.heddle.offers.model.Ports;

/** The ports of each host that the bridge offers. The bridge allocates them, because YARN does not schedule ports. */
public final class PortPool {
    private final Ports all;
    private final Map<String, Ports> lent = new HashMap<>();

    public PortPool(PortRange range) {
        this.all = new Ports(List.of(range));
    }

    /** Takes at most this number of ports of a host; fewer if the host has no more. */
    public Ports lend(String host, int count) {
        Ports taken = lent.getOrDefault(host, Ports.NONE);
        Ports granted = all.minus(taken).first(count);
        lent.put(host, taken.plus(granted));
        return granted;
    }

    /** Marks ports as taken that were taken before a restart. */
    public void restore(String host, Ports ports) {
        lent.merge(host, ports, Ports::plus);
    }

    public void giveBack(String host, Ports ports) {
        Ports rest = lent.getOrDefault(host, Ports.NONE).minus(ports);
        if (rest.isEmpty()) {
            lent.remove(host);
        } else {
            lent.put(host, rest);
        }
    }
}
