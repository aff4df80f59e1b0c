// SPDX-License-Identifier: Apache-2.0
package org.heddle.conformance;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairSchedulerConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.TestFairSchedulerQueueACLs;
import org.heddle.drf.DrfScheduler;

/**
 * Hadoop's tests of who may do what in which queue, with the files that they write for FairScheduler: ours reads them.
 * Public for the JUnit of Hadoop 3.4.
 */
public class QueueListsTest extends TestFairSchedulerQueueACLs {
    @Override
    protected Configuration createConfiguration() {
        Configuration conf = super.createConfiguration();
        conf.set(YarnConfiguration.RM_SCHEDULER, DrfScheduler.class.getName());
        // or the file that the other suites use would come first
        conf.set("yarn.scheduler.heddle.configuration.file", conf.get(FairSchedulerConfiguration.ALLOCATION_FILE));
        return conf;
    }
}
