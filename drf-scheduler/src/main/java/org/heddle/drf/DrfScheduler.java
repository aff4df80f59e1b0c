// SPDX-License-Identifier: Apache-2.0
package org.heddle.drf;

import org.heddle.scheduler.yarn.HeddleScheduler;

/**
 * Hierarchical dominant resource fairness for YARN. Switched on by {@code yarn.resourcemanager.scheduler.class =
 * org.heddle.drf.DrfScheduler}; configured by {@code heddle-scheduler.xml}.
 */
public final class DrfScheduler extends HeddleScheduler {
    public DrfScheduler() {
        super("DrfScheduler");
    }
}
