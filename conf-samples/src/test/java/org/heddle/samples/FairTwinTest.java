// SPDX-License-Identifier: Apache-2.0
package org.heddle.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairSchedulerConfiguration;
import org.heddle.scheduler.config.FairKeys;
import org.heddle.settings.ConfigKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * FairScheduler's file works in FairScheduler and in ours, and the one beside it is what {@code heddle convert} makes
 * of it. Run with {@code -Dheddle.docs.write=true} to write that one anew.
 */
@Loads({"fair/fair-scheduler.xml", "fair/converted/*"})
class FairTwinTest {
    private static final Path SITE = Path.of("fair", "yarn-site.xml");
    private static final List<String> QUEUES =
            List.of("root.production", "root.adhoc", "root.science.batch", "root.science.interactive");

    @TempDir
    Path directory;

    @Test
    void theTwinIsWhatTheConverterPrints() throws Exception {
        List<String> command = new ArrayList<>(List.of("convert", "fair-scheduler.xml"));
        Configuration site = Samples.site(SITE);
        for (ConfigKey<?> key : FairKeys.ALL) {
            if (site.get(key.name()) != null) {
                command.addAll(List.of("--key", key.name() + "=" + site.get(key.name())));
            }
        }
        Files.copy(Samples.file("fair/fair-scheduler.xml"), directory.resolve("fair-scheduler.xml"));
        Commands.Outcome converted = Commands.heddle(directory, command.toArray(String[]::new));

        assertThat(converted.code()).as(converted.err()).isZero();
        assertThat(converted.err()).as("what has no effect").isEmpty();
        Path twin = Samples.file("fair/converted/heddle-scheduler.xml");
        if (Boolean.getBoolean("heddle.docs.write")) {
            Files.writeString(twin, converted.out());
        }
        assertThat(twin)
                .as("after a change: ./mvnw -pl conf-samples -am test -Dtest=FairTwinTest"
                        + " -Dsurefire.failIfNoSpecifiedTests=false -Dheddle.docs.write=true")
                .hasContent(converted.out());
    }

    /** The way back. */
    @Test
    void fairSchedulerStartsWithWhatEachOfOurFilesIsConvertedTo() throws Exception {
        List<Path> ours = Samples.matching("**/heddle-scheduler.xml");
        assertThat(ours).hasSizeGreaterThan(3);
        for (Path sample : ours) {
            Commands.Outcome converted = Commands.heddle(
                    directory, "convert", Samples.file(sample.toString()).toString());
            assertThat(converted.code()).as("%s: %s", sample, converted.err()).isZero();
            Path fair = Files.writeString(directory.resolve("fair-scheduler.xml"), converted.out());
            YarnConfiguration conf = Samples.manager(SITE);
            conf.set(YarnConfiguration.RM_SCHEDULER, FairScheduler.class.getName());
            conf.set(FairSchedulerConfiguration.ALLOCATION_FILE, fair.toString());
            try (ResourceManager rm = new ResourceManager()) {
                assertThatCode(() -> rm.init(conf))
                        .as("%s, converted to%n%s", sample, converted.out())
                        .doesNotThrowAnyException();
            }
        }
    }

    @Test
    void bothSchedulersTakeFairSchedulersFile() throws Exception {
        for (String scheduler :
                List.of(FairScheduler.class.getName(), Samples.site(SITE).get(YarnConfiguration.RM_SCHEDULER))) {
            YarnConfiguration conf = Samples.manager(SITE);
            conf.set(YarnConfiguration.RM_SCHEDULER, scheduler);
            conf.set(
                    FairSchedulerConfiguration.ALLOCATION_FILE,
                    Samples.file("fair/fair-scheduler.xml").toString());
            try (ResourceManager rm = new ResourceManager()) {
                rm.init(conf);
                for (String queue : QUEUES) {
                    assertThat(rm.getResourceScheduler()
                                    .getQueueInfo(queue, false, false)
                                    .getQueueName())
                            .as("%s under %s", queue, scheduler)
                            .isNotNull();
                }
            }
        }
    }
}
