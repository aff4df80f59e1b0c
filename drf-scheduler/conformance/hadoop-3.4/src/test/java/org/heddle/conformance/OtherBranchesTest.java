// SPDX-License-Identifier: Apache-2.0
package org.heddle.conformance;

import org.apache.hadoop.yarn.server.resourcemanager.ParameterizedSchedulerTestBase.SchedulerType;
import org.apache.hadoop.yarn.server.resourcemanager.TestRMRestart;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * A test of Hadoop's that ends at once unless it is told that it runs under CapacityScheduler; here it is told so. The
 * scheduler is ours all the same.
 */
public class OtherBranchesTest {
    private TestRMRestart suite;

    @Before
    public void setUp() throws Exception {
        suite = new TestRMRestart(SchedulerType.CAPACITY);
        suite.setup();
    }

    @After
    public void tearDown() {
        suite.tearDown();
    }

    @Test
    public void labelsOfAnApplicationAreKeptOverARestart() throws Exception {
        suite.testAppReportNodeLabelRMRestart();
    }
}
