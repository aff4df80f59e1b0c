// SPDX-License-Identifier: Apache-2.0
package org.heddle.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ReflectionUtils;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Disks as a resource: read by YARN's own classes, as they are in the three files that the sample names. */
@Loads("packing/yarn-disks.xml")
class DisksTest {
    private final Configuration sample = Samples.site(Path.of("packing", "yarn-disks.xml"));

    @AfterEach
    void asBefore() {
        ResourceUtils.resetResourceTypes(new YarnConfiguration());
    }

    @Test
    void yarnKnowsDisksAndEachNodeHasTwo() throws Exception {
        Configuration conf = new YarnConfiguration(sample);
        ResourceUtils.resetResourceTypes(conf);
        assertThat(ResourceUtils.getResourceTypes()).containsKey("disk");
        assertThat(ResourceUtils.getRequestedResourcesFromConfig(conf, "yarn.nodemanager.resource-type."))
                .anySatisfy(disk -> {
                    assertThat(disk.getName()).isEqualTo("disk");
                    assertThat(disk.getValue()).isEqualTo(2);
                });
        Resource ask = Resource.newInstance(1024, 1);
        ask.setResourceValue("disk", 1);
        assertThat(ask.getResourceValue("disk")).isEqualTo(1);
    }

    @Test
    void theCapacitySchedulerCountsThem() {
        CapacitySchedulerConfiguration conf = new CapacitySchedulerConfiguration(sample, false);
        ResourceCalculator calculator = ReflectionUtils.newInstance(
                conf.getClass(
                        CapacitySchedulerConfiguration.RESOURCE_CALCULATOR_CLASS,
                        ResourceCalculator.class,
                        ResourceCalculator.class),
                conf);
        assertThat(calculator).isInstanceOf(DominantResourceCalculator.class);
        assertThat(conf.getMaximumApplicationMasterResourcePercent()).isEqualTo(0.5f);
    }
}
