// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.offers;

import java.util.Map;

/**
 * A part of the demo.
 *
 * @param title what happens, as a sentence without its full stop
 * @param fair dominant share, 0 to 1, that each tenant should have; tenants that are not named should have nothing
 * @param begin makes it happen
 */
record Phase(String title, Map<String, Double> fair, Step begin) {
    /** Something that may fail. */
    interface Step {
        void run() throws Exception;
    }

    double fair(String tenant) {
        return fair.getOrDefault(tenant, 0.0);
    }

    /** Whether no tenant's share is further from what it should be. */
    boolean holds(Sample sample, Iterable<String> tenants, double tolerance) {
        for (String tenant : tenants) {
            if (Math.abs(sample.share(tenant) - fair(tenant)) > tolerance) {
                return false;
            }
        }
        return true;
    }
}
