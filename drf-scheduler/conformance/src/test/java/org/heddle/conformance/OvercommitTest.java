// SPDX-License-Identifier: Apache-2.0
package org.heddle.conformance;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.TestSchedulerOvercommit;
import org.heddle.drf.DrfScheduler;

/**
 * Hadoop's tests of nodes that become smaller than what runs on them; each scheduler is to derive its own class. Public
 * for the JUnit of Hadoop 3.4.
 */
public class OvercommitTest extends TestSchedulerOvercommit {
    @Override
    protected Configuration getConfiguration() {
        Configuration conf = super.getConfiguration();
        conf.setClass(YarnConfiguration.RM_SCHEDULER, DrfScheduler.class, ResourceScheduler.class);
        return conf;
    }
}
