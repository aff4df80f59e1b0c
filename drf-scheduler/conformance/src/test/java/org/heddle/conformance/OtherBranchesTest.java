// SPDX-License-Identifier: Apache-2.0
package org.heddle.conformance;

import org.apache.hadoop.yarn.server.resourcemanager.ParameterizedSchedulerTestBase.SchedulerType;
import org.apache.hadoop.yarn.server.resourcemanager.TestRMRestart;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.TestAbstractYarnScheduler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests of Hadoop's that end at once unless they are told that they run under CapacityScheduler, because FairScheduler
 * lacks what they test. Ours does not, so here they are told so; the scheduler is ours all the same.
 */
class OtherBranchesTest {
    private final TestRMRestart restart = new TestRMRestart();
    private final TestAbstractYarnScheduler scheduler = new TestAbstractYarnScheduler();

    @AfterEach
    void tearDown() {
        restart.tearDown();
    }

    @Test
    @Timeout(60)
    void labelsOfAnApplicationAreKeptOverARestart() throws Exception {
        restart.testAppReportNodeLabelRMRestart(SchedulerType.CAPACITY);
    }

    @Test
    @Timeout(60)
    void anApplicationWithLabelsIsLoadedWhereLabelsHaveBeenSwitchedOff() throws Exception {
        restart.testRMRestartAfterNodeLabelDisabled(SchedulerType.CAPACITY);
    }

    @Test
    @Timeout(60)
    void tagsGoWithTheNode() throws Exception {
        scheduler.testNodeRemovedWithAllocationTags(SchedulerType.CAPACITY);
    }
}
