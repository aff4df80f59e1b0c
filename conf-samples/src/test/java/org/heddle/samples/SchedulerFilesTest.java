// SPDX-License-Identifier: Apache-2.0
package org.heddle.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.SchedulerKeys;
import org.heddle.scheduler.config.read.SpecReader;
import org.heddle.scheduler.model.Lifetime;
import org.heddle.scheduler.model.PreemptionSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.policy.ShareOrders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The files of queues: a ResourceManager takes each, and none says what has no effect or does harm. */
@Loads("**/heddle-scheduler.xml")
class SchedulerFilesTest {
    private static final Pattern ELEMENT_IN_DOC = Pattern.compile("^\\| `(<[a-z-]+>)`", Pattern.MULTILINE);
    private static final Pattern COMMENT = Pattern.compile("<!--.*?-->", Pattern.DOTALL);
    private static final Path CATALOGUE = Path.of("drf", "heddle-scheduler.xml");
    private static final KnownNames NAMES =
            KnownNames.of(new ShareOrders().names(), Map.of("memory-mb", "Mi", "vcores", ""));

    @TempDir
    private Path directory;

    static Stream<Path> schedulerFiles() throws IOException {
        List<Path> files = Samples.matching("**/heddle-scheduler.xml");
        assertThat(files).hasSizeGreaterThanOrEqualTo(4);
        return files.stream();
    }

    private static SchedulerSpec spec(Path file) throws Exception {
        SpecReader.Reading reading =
                new SpecReader(NAMES).reading(file.toString(), Files.readAllBytes(Samples.ROOT.resolve(file)));
        assertThat(reading.warnings()).as("warnings of %s", file).isEmpty();
        return reading.spec();
    }

    @ParameterizedTest
    @MethodSource("schedulerFiles")
    void aResourceManagerTakesTheQueues(Path file) throws Exception {
        SchedulerSpec spec = spec(file);
        Path site = file.resolveSibling("yarn-site.xml");
        YarnConfiguration conf = Samples.manager(
                Files.exists(Samples.ROOT.resolve(site)) ? site : Path.of("drf", "minimal", "yarn-site.xml"));
        conf.set(
                SchedulerKeys.CONFIGURATION_FILE.name(),
                Samples.ROOT.resolve(file).toString());
        try (ResourceManager rm = new ResourceManager()) {
            rm.init(conf);

            for (QueueSpec queue : spec.root().all().toList()) {
                assertThat(rm.getResourceScheduler()
                                .getQueueInfo(queue.path(), false, false)
                                .getQueueName())
                        .isNotNull();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("schedulerFiles")
    void checkFindsNoProblem(Path file) throws Exception {
        Commands.Outcome outcome = Commands.heddle(
                directory, "check", Samples.file(file.toString()).toString());
        assertThat(outcome.code()).as(outcome.out() + outcome.err()).isZero();
    }

    @ParameterizedTest
    @MethodSource("schedulerFiles")
    void nobodysApplicationsOrContainersEndByAFileThatWasOnlyCopied(Path file) throws Exception {
        SchedulerSpec spec = spec(file);
        if (!file.startsWith("fair")) { // that one says what FairScheduler's file beside it says
            assertThat(spec.preemption().mode()).isNotEqualTo(PreemptionSettings.Mode.ON);
        }
        assertThat(spec.root().all()).allSatisfy(queue -> {
            assertThat(queue.lifetime()).as(queue.path()).isEqualTo(Lifetime.FOR_EVER);
        });
    }

    @Test
    void theMarketsSampleSaysDryRunWhereItWouldKill() throws Exception {
        assertThat(spec(Path.of("market", "heddle-scheduler.xml")).preemption().mode())
                .isEqualTo(PreemptionSettings.Mode.DRY_RUN);
    }

    @Test
    void theCatalogueShowsEveryElement() throws IOException {
        Set<String> documented = new TreeSet<>();
        Matcher element = ELEMENT_IN_DOC.matcher(Files.readString(Path.of("..", "docs", "config.md")));
        while (element.find()) {
            documented.add(element.group(1));
        }
        String sample = Files.readString(CATALOGUE);

        assertThat(documented).hasSizeGreaterThan(20).allSatisfy(tag -> {
            String opened = tag.substring(0, tag.length() - 1);
            assertThat(sample).containsPattern(opened + "[ >/]");
        });
    }

    @Test
    void nothingInTheCatalogueCancelsAnotherSetting() throws IOException {
        String sample = Files.readString(CATALOGUE);
        String effective = COMMENT.matcher(sample).replaceAll("");
        assertThat(effective.contains("<node-locality>") && effective.contains("<node-locality-threshold>"))
                .as("durations and parts of the cluster's nodes, of which only one counts")
                .isFalse();
        assertThat(effective.contains("<new-queues>") || effective.contains("<max-child-resources>"))
                .as("what queues are like that are made, where none is made")
                .isEqualTo(effective.contains("missing=\"create\""));
        assertThat(effective.contains("<priority>"))
                .as("a priority under an order that knows none")
                .isEqualTo(effective.contains("<order>priority</order>"));
    }

    @Test
    void theCatalogueNamesEveryShareOrder() throws IOException {
        String sample = Files.readString(CATALOGUE);
        assertThat(new ShareOrders().names())
                .allSatisfy(order -> assertThat(sample).containsPattern("\\b" + order + "\\b"));
    }

    @Test
    void incrementsAreNoSmallerThanTheSmallestContainer() throws IOException {
        int smallest = Samples.site(Path.of("drf", "yarn-site.xml"))
                .getInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, 0);
        Matcher step = Pattern.compile("<increment-allocation>\\s*<resource name=\"memory-mb\">([0-9]+)<")
                .matcher(Files.readString(CATALOGUE));
        assertThat(step.find()).isTrue();
        assertThat(Integer.parseInt(step.group(1))).isEqualTo(smallest);
    }
}
