// SPDX-License-Identifier: Apache-2.0
package org.heddle.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.heddle.market.http.WebKeys;
import org.heddle.market.yarn.MarketKeys;
import org.heddle.scheduler.config.SchedulerKeys;
import org.heddle.scheduler.config.SpecReader;
import org.heddle.scheduler.config.Vocabulary;
import org.heddle.scheduler.model.ConfigKey;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.policy.ShareOrders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SamplesTest {
    private static final Pattern PROPERTY = Pattern.compile("(-->)?\\s*<property>");
    private static final Pattern ELEMENT_IN_DOC = Pattern.compile("^\\| `(<[a-z-]+>)`", Pattern.MULTILINE);
    private static final Vocabulary VOCABULARY =
            Vocabulary.of(new ShareOrders().names(), Map.of("memory-mb", "Mi", "vcores", ""));

    static Stream<Path> siteFiles() throws IOException {
        return find("yarn-site.xml");
    }

    static Stream<Path> schedulerFiles() throws IOException {
        return find("heddle-scheduler.xml");
    }

    private static Stream<Path> find(String name) throws IOException {
        List<Path> found = new ArrayList<>();
        for (String scheduler : List.of("drf", "market")) {
            try (Stream<Path> files = Files.walk(Path.of(scheduler))) {
                files.filter(file -> file.endsWith(name)).forEach(found::add);
            }
        }
        assertThat(found).as(name).hasSizeGreaterThanOrEqualTo(3);
        return found.stream();
    }

    private static Stream<ConfigKey<?>> keys() {
        return Stream.of(SchedulerKeys.ALL, MarketKeys.ALL, WebKeys.ALL).flatMap(List::stream);
    }

    @ParameterizedTest
    @MethodSource("siteFiles")
    void everyPropertyIsKnownAndValidAndExplained(Path file) throws IOException {
        Configuration site = site(file);
        Configuration yarn = new YarnConfiguration();
        Set<String> ours = keys().map(ConfigKey::name).collect(Collectors.toSet());

        assertThat(site).isNotEmpty().allSatisfy(property -> {
            boolean hadoops = !property.getKey().contains("heddle") && yarn.get(property.getKey()) != null;
            assertThat(hadoops || ours.contains(property.getKey()))
                    .as("%s in %s is a key of YARN or of ours", property.getKey(), file)
                    .isTrue();
        });
        assertThat(keys()).allSatisfy(key -> assertThat(key.read(site::get)).isNotNull());
        Matcher property = PROPERTY.matcher(Files.readString(file));
        while (property.find()) {
            assertThat(property.group(1))
                    .as("a comment right above each <property> in %s", file)
                    .isNotNull();
        }
    }

    @ParameterizedTest
    @MethodSource("siteFiles")
    void onlyTheResourceManagerIsToldOfOurClasses(Path file) {
        assertThat(site(file)).allSatisfy(property -> {
            if (property.getValue().contains("org.heddle")) {
                assertThat(property.getKey()).isEqualTo(YarnConfiguration.RM_SCHEDULER);
            }
        });
    }

    @ParameterizedTest
    @MethodSource("schedulerFiles")
    void aResourceManagerTakesTheQueues(Path file) throws Exception {
        SchedulerSpec spec = new SpecReader(VOCABULARY).read(file.toString(), Files.readAllBytes(file));
        DefaultMetricsSystem.setMiniClusterMode(true);
        YarnConfiguration conf = new YarnConfiguration(site(file.resolveSibling("yarn-site.xml")));
        conf.set(SchedulerKeys.CONFIGURATION_FILE.name(), file.toAbsolutePath().toString());
        conf.setBoolean(YarnConfiguration.RECOVERY_ENABLED, false);
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

    @Test
    void theLargeSampleShowsEveryElement() throws IOException {
        Set<String> documented = new TreeSet<>();
        Matcher element = ELEMENT_IN_DOC.matcher(Files.readString(Path.of("..", "docs", "config.md")));
        while (element.find()) {
            documented.add(element.group(1));
        }
        String sample = Files.readString(Path.of("drf", "heddle-scheduler.xml"));

        assertThat(documented).hasSizeGreaterThan(20).allSatisfy(tag -> {
            String opened = tag.substring(0, tag.length() - 1);
            assertThat(sample).containsPattern(opened + "[ >/]");
        });
    }

    private static Configuration site(Path file) {
        Configuration site = new Configuration(false);
        site.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
        return site;
    }
}
