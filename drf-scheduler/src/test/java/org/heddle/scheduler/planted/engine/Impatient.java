// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.planted.engine;

import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.heddle.scheduler.planted.yarn.Shell;

/** Breaks the rules on clocks, chance and layers on purpose: see LayeringTest. Nobody runs it. */
public record Impatient(Configuration configuration, Shell shell) {
    long time() throws InterruptedException {
        Thread.sleep(1);
        return System.currentTimeMillis() + System.nanoTime() + new Random().nextInt() + new Random(1).nextInt();
    }
}
