// SPDX-License-Identifier: Apache-2.0
package org.heddle.conformance;

import org.apache.hadoop.yarn.server.resourcemanager.ParameterizedSchedulerTestBase.SchedulerType;
import org.apache.hadoop.yarn.server.resourcemanager.TestRMRestart;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A test of Hadoop's that ends at once unless it is told that it runs under CapacityScheduler, because FairScheduler
 * lacks what it tests. Ours does not, so here it is told so; the scheduler is ours all the same.
 */
class OtherBranchesTest {
    private final TestRMRestart suite = new TestRMRestart();

    @AfterEach
    void tearDown() {
        suite.tearDown();
    }

    @Test
    @Timeout(60)
    void labelsOfAnApplicationAreKeptOverARestart() throws Exception {
        suite.testAppReportNodeLabelRMRestart(SchedulerType.CAPACITY);
    }
}
