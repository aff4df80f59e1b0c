// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.net.CachedDNSToSwitchMapping;

/**
 * Racks of the hosts of all clusters in this JVM: Hadoop's {@code RackResolver} is one per JVM, so this is too. Hadoop
 * creates it through {@code net.topology.node.switch.mapping.impl}.
 *
 * <p>It poses as a cache because Hadoop would wrap anything else in one that asks DNS for every name first.
 */
public final class RackTable extends CachedDNSToSwitchMapping {
    private static final Map<String, String> RACKS = new ConcurrentHashMap<>();

    public RackTable() {
        super(null);
    }

    static void put(String hostOrAddress, String rack) {
        RACKS.put(hostOrAddress, rack);
    }

    static void remove(String hostOrAddress) {
        RACKS.remove(hostOrAddress);
    }

    @Override
    public List<String> resolve(List<String> names) {
        return names.stream()
                .map(name -> RACKS.getOrDefault(name, NodeSpec.DEFAULT_RACK))
                .toList();
    }

    @Override
    public Map<String, String> getSwitchMap() {
        return Map.copyOf(RACKS);
    }

    @Override
    public boolean isSingleSwitch() {
        return RACKS.values().stream().distinct().count() <= 1;
    }

    @Override
    public void reloadCachedMappings() {}

    @Override
    public void reloadCachedMappings(List<String> names) {}

    @Override
    public String toString() {
        return "racks of test clusters " + RACKS;
    }
}
