// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.config;

import java.util.concurrent.atomic.AtomicBoolean;

/** Checks the configuration file: at once, or on a thread of its own if that may take long; one check at a time. */
final class ConfigurationReload {
    private final AtomicBoolean underWay = new AtomicBoolean();

    void begin(boolean mayTakeLong, Runnable look) {
        if (!mayTakeLong) {
            look.run();
        } else if (underWay.compareAndSet(false, true)) {
            Thread thread = new Thread(
                    () -> {
                        try {
                            look.run();
                        } finally {
                            underWay.set(false);
                        }
                    },
                    "heddle-configuration");
            thread.setDaemon(true);
            thread.start();
        }
    }
}
