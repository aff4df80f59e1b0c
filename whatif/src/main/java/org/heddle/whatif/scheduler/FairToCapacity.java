// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.scheduler;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.converter.ConversionOptions;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.converter.DryRunResultHolder;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.converter.FSConfigToCSConfigConverter;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.converter.FSConfigToCSConfigConverterParams;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.converter.FSConfigToCSConfigConverterParams.PreemptionMode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.converter.FSConfigToCSConfigRuleHandler;
import org.heddle.whatif.model.Size;

/** Hadoop's own converter, the command {@code yarn fs2cs}. */
final class FairToCapacity {
    static final String CAPACITY = "capacity-scheduler.xml";
    static final String YARN = "yarn-site.xml";

    private FairToCapacity() {}

    /**
     * Converts a fair-scheduler.xml.
     *
     * @param site the keys of yarn-site.xml
     * @param cluster the sum of all nodes
     * @param scratch gets the converted capacity-scheduler.xml and yarn-site.xml
     * @throws IOException one sentence with the converter's words if it refuses the file
     */
    static void convert(Path fair, Configuration site, Size cluster, Path scratch) throws IOException {
        Path siteFile = Files.createDirectories(scratch.resolve("fair")).resolve(YARN);
        try (OutputStream out = Files.newOutputStream(siteFile)) {
            site.writeXml(out);
        }
        ConversionOptions options = new ConversionOptions(new DryRunResultHolder(), false);
        try {
            new FSConfigToCSConfigConverter(new FSConfigToCSConfigRuleHandler(options), options)
                    .convert(FSConfigToCSConfigConverterParams.Builder.create()
                            .withYarnSiteXmlConfig(siteFile.toString())
                            .withFairSchedulerXmlConfig(fair.toString())
                            .withOutputDirectory(scratch.toString())
                            .withClusterResource("memory-mb=" + cluster.memoryMb() + ", vcores=" + cluster.vcores())
                            .withConvertPlacementRules(true)
                            .withPlacementRulesToFile(false)
                            .withUsePercentages(false)
                            .withDisablePreemption(PreemptionMode.ENABLED)
                            .build());
        } catch (Exception e) { // as the converter declares
            throw new IOException(
                    "Hadoop's converter (yarn fs2cs) makes no capacity-scheduler.xml of " + fair + ": " + e.getMessage()
                            + "; give one with a second --file, or leave capacity out of --with",
                    e);
        } finally {
            QueueMetrics.clearQueueMetrics(); // it starts a FairScheduler, whose metrics have the same names
        }
    }
}
