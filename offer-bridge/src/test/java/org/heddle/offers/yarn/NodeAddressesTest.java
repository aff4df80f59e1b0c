// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeAddressesTest {
    private final Map<String, String> names = new HashMap<>(Map.of("n1", "10.0.0.1"));
    private int lookUps;
    private final NodeAddresses addresses = new NodeAddresses(host -> {
        lookUps++;
        return names.get(host);
    });

    @Test
    void anAddressIsKeptForMinutes() {
        assertThat(addresses.of("n1", 0)).isEqualTo("10.0.0.1");
        names.put("n1", "10.0.0.2");
        assertThat(addresses.of("n1", NodeAddresses.SHORTEST_MILLIS - 1)).isEqualTo("10.0.0.1");
        assertThat(lookUps).isEqualTo(1);
        assertThat(addresses.of("n1", 2 * NodeAddresses.SHORTEST_MILLIS)).isEqualTo("10.0.0.2");
    }

    @Test
    void anUnknownHostIsLookedUpEachTime() {
        assertThat(addresses.of("n2", 0)).isEqualTo("n2");
        names.put("n2", "10.0.0.3");
        assertThat(addresses.of("n2", 1)).isEqualTo("10.0.0.3");
    }
}
