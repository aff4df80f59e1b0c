// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.planted.epoch;

import org.apache.hadoop.conf.Configuration;
import org.heddle.market.planted.http.Shell;
import org.heddle.scheduler.yarn.HeddleScheduler;

/** Breaks the rules on packages, Hadoop, the DRF scheduler's types and clocks on purpose: see LayeringTest. */
public record Outward(Configuration configuration, Shell shell, HeddleScheduler scheduler) {
    long time() throws InterruptedException {
        Thread.sleep(1);
        return System.currentTimeMillis() + System.nanoTime();
    }
}
