// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark;

import java.util.Map;
import java.util.Set;

/** The executors that are wanted at one moment. */
final class Demand {
    final int wanted;
    final ExecutorSize size;
    final Map<String, Integer> preferred;
    final double localitySeconds;
    final Set<String> avoided;

    /**
     * @param wanted number of executors to launch
     * @param preferred number of executors to launch on each host that has data of waiting tasks
     * @param localitySeconds time for which other hosts have to wait; 0 if they need not
     * @param avoided hosts that get no executors
     */
    Demand(int wanted, ExecutorSize size, Map<String, Integer> preferred, double localitySeconds, Set<String> avoided) {
        this.wanted = wanted;
        this.size = size;
        this.preferred = preferred;
        this.localitySeconds = localitySeconds;
        this.avoided = avoided;
    }
}
