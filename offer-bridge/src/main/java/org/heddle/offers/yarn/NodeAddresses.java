// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.yarn;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The IP addresses of nodes. The list of nodes is read every two seconds, and Java itself keeps an address for 30 s: in
 * a cluster of thousands of nodes that would be a steady load for the name server. So an address is kept for five to
 * ten minutes, another time for each node. For one thread.
 */
final class NodeAddresses {
    static final long SHORTEST_MILLIS = 300_000;

    private record Known(String address, long until) {}

    private final Function<String, @Nullable String> lookUp;
    private final Map<String, Known> byHost = new HashMap<>();

    /** @param lookUp the address of a host, or null if it has none now */
    NodeAddresses(Function<String, @Nullable String> lookUp) {
        this.lookUp = lookUp;
    }

    /** The address of a host. Clients expect one in offers; an unknown host keeps its name. */
    String of(String host, long now) {
        Known known = byHost.get(host);
        if (known != null && now < known.until()) {
            return known.address();
        }
        String found = lookUp.apply(host);
        if (found == null) {
            byHost.remove(host);
            return host;
        }
        long spread = Math.floorMod(host.hashCode(), SHORTEST_MILLIS);
        byHost.put(host, new Known(found, now + SHORTEST_MILLIS + spread));
        return found;
    }
}
