// SPDX-License-Identifier: Apache-2.0
package org.heddle.conformance;

import org.apache.hadoop.yarn.server.resourcemanager.rmapp.TestApplicationLifetimeMonitor;
import org.heddle.drf.DrfScheduler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Hadoop's tests of applications that may run only so long: they take the scheduler's class, and here it is ours. */
class LifetimesTest {
    private final TestApplicationLifetimeMonitor suite = new TestApplicationLifetimeMonitor();

    @Test
    @Timeout(120)
    void applicationsEndWhenTheirTimeIsUp() throws Exception {
        suite.testApplicationLifetimeMonitor(DrfScheduler.class);
    }

    @Test
    @Timeout(120)
    void theirTimeGoesOnOverARestart() throws Exception {
        suite.testApplicationLifetimeOnRMRestart(DrfScheduler.class);
    }

    @Test
    @Timeout(120)
    void aTimeThatCannotBeStoredIsNotChanged() throws Exception {
        suite.testUpdateApplicationTimeoutForStateStoreUpdateFail(DrfScheduler.class);
    }
}
