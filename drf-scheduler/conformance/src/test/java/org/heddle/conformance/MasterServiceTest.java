// SPDX-License-Identifier: Apache-2.0
package org.heddle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.proto.YarnServiceProtos.SchedulerResourceTypes;
import org.apache.hadoop.yarn.server.resourcemanager.ApplicationMasterServiceTestBase;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.heddle.drf.DrfScheduler;
import org.junit.jupiter.api.Test;

/**
 * Hadoop's tests of what ApplicationMasters hear from the ResourceManager; each scheduler is to derive its own class.
 * Public, and with the annotations of both JUnits, for Hadoop 3.4's.
 */
public class MasterServiceTest extends ApplicationMasterServiceTestBase {
    @Override
    protected YarnConfiguration createYarnConfig() {
        YarnConfiguration conf = new YarnConfiguration();
        conf.set(YarnConfiguration.RM_SCHEDULER, DrfScheduler.class.getName());
        return conf;
    }

    @Override
    protected Resource getResourceUsageForQueue(ResourceManager manager, String queue) {
        return ((DrfScheduler) manager.getResourceScheduler())
                .getQueue(queue)
                .getMetrics()
                .getAllocatedResources();
    }

    @Override
    protected String getDefaultQueueName() {
        return "root.default";
    }

    /** The inherited test starts the two other schedulers only. */
    @Override
    @org.junit.Test
    @Test
    public void testResourceTypes() throws Exception {
        try (MockRM manager = new MockRM(createYarnConfig())) {
            manager.start();
            MockNM node = manager.registerNode("127.0.0.1:1234", 6_144);
            RMApp app = MockRMAppSubmitter.submitWithMemory(2_048, manager);
            assertThat(MockRM.launchAM(app, manager, node).registerAppAttempt().getSchedulerResourceTypes())
                    .containsExactlyInAnyOrder(SchedulerResourceTypes.MEMORY, SchedulerResourceTypes.CPU);
        }
    }
}
