// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import java.lang.reflect.Method;
import java.util.List;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.yarn.util.RackResolver;

/** A topology for tests: {@code 127.1.2.3} stands in {@code /rack2}. */
public final class ThirdByteIsTheRack implements DNSToSwitchMapping {
    /** The property that makes it the cluster's topology, and its value. */
    public static String[] property() {
        return new String[] {"net.topology.node.switch.mapping.impl", ThirdByteIsTheRack.class.getName()};
    }

    /** There is one topology for the whole process, that of the first configuration; the next one counts again. */
    public static void forgetTopology() throws ReflectiveOperationException {
        Method reset = RackResolver.class.getDeclaredMethod("reset");
        reset.setAccessible(true);
        reset.invoke(null);
    }

    @Override
    public List<String> resolve(List<String> names) {
        return names.stream().map(name -> "/rack" + name.split("\\.", -1)[2]).toList();
    }

    @Override
    public void reloadCachedMappings() {}

    @Override
    public void reloadCachedMappings(List<String> names) {}
}
