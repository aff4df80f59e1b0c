// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.heddle.scheduler.config.ConfigurationException;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.edit.SpecWriter;
import org.heddle.scheduler.config.read.SpecReader;
import org.heddle.scheduler.config.site.SiteSettings;
import org.heddle.scheduler.model.AccessList;
import org.heddle.scheduler.model.Amounts;
import org.heddle.scheduler.model.LabelCapacity;
import org.heddle.scheduler.model.PlacementCondition;
import org.heddle.scheduler.model.PlacementStep;
import org.heddle.scheduler.model.PlacementStep.Kind;
import org.heddle.scheduler.model.PlacementStep.Missing;
import org.heddle.scheduler.model.PreemptionSettings;
import org.heddle.scheduler.model.PriorityLimit;
import org.heddle.scheduler.model.QueuePreemptionSettings;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.model.Weights;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * CapacityScheduler's files, read without CapacityScheduler; what it makes of them is compared in the differential
 * tests. It is long because CapacityScheduler has many properties.
 */
@Tag("pure")
class CapacityReaderTest {
    private static final KnownNames NAMES = KnownNames.of(
            List.of("drf", "fair", "fifo", "priority", "sojourn"),
            Map.of("memory-mb", "Mi", "vcores", "", "yarn.io/gpu", ""));
    private static final String DRF =
            "resource-calculator=org.apache.hadoop.yarn.util.resource.DominantResourceCalculator";
    private static final List<String> TWO = List.of("root.queues=a,b", "root.a.capacity=40", "root.b.capacity=60");

    @TempDir
    Path directory;

    /** A file with these properties, without the prefix: {@code root.queues=a,b}. */
    static String xml(List<String> properties) {
        StringBuilder xml = new StringBuilder("<configuration>\n");
        for (String property : properties) {
            int equals = property.indexOf('=');
            String name = property.substring(0, equals);
            xml.append("<property><name>")
                    .append(name.startsWith("yarn.") ? name : "yarn.scheduler.capacity." + name)
                    .append("</name><value>")
                    .append(property.substring(equals + 1))
                    .append("</value></property>\n");
        }
        return xml.append("</configuration>").toString();
    }

    private static List<String> more(List<String> some, String... others) {
        List<String> all = new ArrayList<>(some);
        all.addAll(List.of(others));
        return all;
    }

    private static SpecReader.Reading reading(List<String> properties) throws ConfigurationException {
        return new SpecReader(NAMES).reading("capacity-scheduler.xml", bytes(xml(properties)));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static SchedulerSpec spec(String... properties) throws ConfigurationException {
        return reading(List.of(properties)).spec();
    }

    private static SchedulerSpec two(String... others) throws ConfigurationException {
        return reading(more(TWO, others)).spec();
    }

    private static QueueSpec queue(SchedulerSpec spec, String path) {
        return spec.root()
                .all()
                .filter(queue -> queue.path().equals(path))
                .findFirst()
                .orElseThrow();
    }

    private static Amounts both(double part) {
        return new Amounts(Map.of(), Map.of("memory-mb", part, "vcores", part, "yarn.io/gpu", part));
    }

    private static Amounts memory(double part) {
        return new Amounts(Map.of(), Map.of("memory-mb", part));
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(CapacityReaderTest.class.getResourceAsStream("/capacity/" + name), name)) {
            return in.readAllBytes();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hadoop-3.4.xml", "hadoop-3.5.xml", "vendor.xml"})
    void aFileThatEveryHadoopBringsAlongSaysNothing(String name) throws Exception {
        assertThat(new SpecReader(NAMES).saysNothing(name, resource(name))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "root.queues=default,other;root.other.capacity=0",
                "root.acl_submit_applications= ",
                "root.default.maximum-capacity=50",
                "root.default.state=STOPPED",
                "root.default.user-limit-factor=0.5",
                "queue-mappings=u:bob:default",
                "root.default.maximum-applications=5",
                "root.default.max-parallel-apps=5",
                "root.default.maximum-application-lifetime=100",
                "root.default.accessible-node-labels=gpu",
                "root.default.maximum-allocation-mb=2048",
                "root.default.capacity=50"
            })
    void aFileThatSaysMoreCounts(String properties) {
        List<String> all = more(List.of("root.queues=default", "root.default.capacity=100"), properties.split(";", -1));
        assertThat(new SpecReader(NAMES).saysNothing("capacity-scheduler.xml", bytes(xml(all))))
                .isFalse();
    }

    @Test
    void capacitiesAreWeightsAndLimitsAreMultipliedAlongThePath() throws Exception {
        SchedulerSpec spec = spec(
                DRF,
                "root.queues=a,b",
                "root.a.capacity=40",
                "root.a.maximum-capacity=80",
                "root.b.capacity=60",
                "root.a.queues=x,y",
                "root.a.x.capacity=25",
                "root.a.x.maximum-capacity=50",
                "root.a.x.user-limit-factor=2",
                "root.a.y.capacity=75",
                "root.a.y.user-limit-factor=-1",
                "root.b.user-limit-factor=3");
        assertThat(queue(spec, "root.a").weights()).isEqualTo(Weights.of(40));
        assertThat(queue(spec, "root.a").maxResources()).isEqualTo(both(0.8));
        assertThat(queue(spec, "root.a.x").maxResources()).isEqualTo(both(0.4));
        assertThat(queue(spec, "root.a.x").maxResourcesPerUser()).isEqualTo(both(0.2));
        assertThat(queue(spec, "root.a.y").maxResources()).isEqualTo(Amounts.UNLIMITED);
        assertThat(queue(spec, "root.a.y").maxResourcesPerUser()).isEqualTo(Amounts.UNLIMITED);
        assertThat(queue(spec, "root.b").maxResourcesPerUser())
                .as("three times the capacity is more than the cluster")
                .isEqualTo(Amounts.UNLIMITED);
        assertThat(queue(spec, "root.a").order()).isEqualTo("drf");
        assertThat(queue(spec, "root.a.x").userOrder()).isEqualTo("fifo");
        assertThat(queue(spec, "root.a.x").maxAmShare()).isEqualTo(0.1);
    }

    @Test
    void withoutAFactorAUserHasTheQueuesCapacityAtMost() throws Exception {
        SchedulerSpec spec = two();
        assertThat(queue(spec, "root.a").maxResourcesPerUser()).isEqualTo(memory(0.4));
        assertThat(queue(spec, "root.a").order()).isEqualTo("fair");
        assertThat(queue(spec, "root.a").get(QueueSettings.MAX_APPLICATIONS)).isEqualTo(4000);
        assertThat(spec.root().get(QueueSettings.MAX_APPLICATIONS)).isEqualTo(10_000);
        assertThat(spec.rules().likeCapacityScheduler()).isTrue();
    }

    @Test
    void weightsAndAmounts() throws Exception {
        SchedulerSpec weights = spec("root.queues=a,b", "root.a.capacity=3w", "root.b.capacity=1w");
        assertThat(queue(weights, "root.a").weights()).isEqualTo(Weights.of(3));
        assertThat(queue(weights, "root.b").maxResourcesPerUser()).isEqualTo(memory(0.25));
        SchedulerSpec amounts = spec(
                DRF,
                "root.queues=a,b",
                "root.a.capacity=[memory=10240,vcores=10]",
                "root.a.maximum-capacity=[memory=20Gi,vcores=20]",
                "root.b.capacity=[memory=30720,vcores=10]");
        QueueSpec a = queue(amounts, "root.a");
        assertThat(a.weights()).isEqualTo(new Weights(50, Map.of("memory-mb", 25.0, "vcores", 50.0)));
        assertThat(a.maxResources()).isEqualTo(new Amounts(Map.of("memory-mb", 20_480L, "vcores", 20L), Map.of()));
        assertThat(a.maxResourcesPerUser())
                .isEqualTo(new Amounts(Map.of("memory-mb", 10_240L, "vcores", 10L), Map.of()));
    }

    @Test
    void accessIsInheritedAndRootIsOpen() throws Exception {
        assertThat(two().root().submit()).isEqualTo(AccessList.EVERYONE);
        SpecReader.Reading open = reading(more(TWO, "root.a.acl_submit_applications=alice"));
        assertThat(queue(open.spec(), "root.a").submit()).isEqualTo(AccessList.NOBODY);
        assertThat(open.warnings())
                .anyMatch(warning -> warning.contains("restricts nothing, as under CapacityScheduler: root admits"));
        SchedulerSpec closed = two(
                "root.acl_submit_applications= ",
                "root.acl_administer_queue=",
                "root.a.acl_submit_applications=alice,bob staff",
                "root.b.acl_administer_queue= admins");
        assertThat(closed.root().submit()).isEqualTo(AccessList.NOBODY);
        assertThat(queue(closed, "root.a").submit())
                .isEqualTo(new AccessList(false, Set.of("alice", "bob"), Set.of("staff")));
        assertThat(queue(closed, "root.b").administer()).isEqualTo(new AccessList(false, Set.of(), Set.of("admins")));
    }

    @Test
    void otherSettingsOfQueues() throws Exception {
        SchedulerSpec spec = two(
                "root.a.state=stopped",
                "root.a.ordering-policy=fair",
                "root.ordering-policy=priority-utilization",
                "root.b.priority=7",
                "root.b.max-parallel-apps=3",
                "max-parallel-apps=9",
                "user.max-parallel-apps=2",
                "user.carol.max-parallel-apps=5",
                "root.b.maximum-applications=11",
                "root.b.maximum-am-resource-percent=0.5",
                "root.maximum-allocation-mb=4096",
                "root.b.maximum-allocation-vcores=2",
                "root.maximum-application-lifetime=1000",
                "root.b.default-application-lifetime=10",
                "root.b.disable_preemption=true",
                "root.b.user-settings.carol.weight=2.5",
                "yarn.cluster.max-application-priority=10",
                "root.b.acl_application_max_priority=[user=alice group=staff max_priority=5 default_priority=2]"
                        + "[user=* max_priority=20]");
        assertThat(queue(spec, "root.a").get(QueueSettings.STOPPED)).isTrue();
        assertThat(queue(spec, "root.a").userOrder()).isEqualTo("fair");
        QueueSpec b = queue(spec, "root.b");
        assertThat(spec.root().order()).isEqualTo("priority");
        assertThat(b.get(QueueSettings.PRIORITY)).isEqualTo(7);
        assertThat(b.protection().guaranteed())
                .as("what comes before priorities")
                .isEqualTo(memory(0.6));
        assertThat(b.maxRunningApps()).isEqualTo(3);
        assertThat(queue(spec, "root.a").maxRunningApps()).isEqualTo(9);
        assertThat(spec.rules().maxRunningAppsPerUser()).isEqualTo(2);
        assertThat(spec.rules().maxRunningApps("carol")).isEqualTo(5);
        assertThat(b.get(QueueSettings.MAX_APPLICATIONS)).isEqualTo(11);
        assertThat(b.maxAmShare()).isEqualTo(0.5);
        assertThat(b.get(QueueSettings.MAX_CONTAINER))
                .isEqualTo(new Amounts(Map.of("memory-mb", 4096L, "vcores", 2L), Map.of()));
        assertThat(b.lifetime().mostSeconds()).isEqualTo(1000);
        assertThat(b.lifetime().grant(0)).isEqualTo(10);
        assertThat(b.protection().revocable()).isFalse();
        assertThat(b.userWeights()).isEqualTo(Map.of("carol", Weights.of(2.5)));
        assertThat(b.get(QueueSettings.PRIORITIES))
                .containsExactly(
                        new PriorityLimit(new AccessList(false, Set.of("alice"), Set.of("staff")), 5, 2),
                        new PriorityLimit(AccessList.EVERYONE, 10, 0));
    }

    @Test
    void labelsHaveTheParentsPart() throws Exception {
        SchedulerSpec spec = two(
                "root.accessible-node-labels.gpu.capacity=100",
                "root.a.accessible-node-labels=gpu",
                "root.a.accessible-node-labels.gpu.capacity=60",
                "root.b.accessible-node-labels=gpu,ssd",
                "root.b.accessible-node-labels.gpu.capacity=40",
                "root.b.accessible-node-labels.gpu.maximum-capacity=50",
                "root.b.default-node-label-expression=gpu",
                "root.a.queues=x,y",
                "root.a.x.capacity=50",
                "root.a.y.capacity=50",
                "root.a.x.accessible-node-labels.gpu.capacity=50",
                "root.a.y.accessible-node-labels.gpu.capacity=50");
        assertThat(queue(spec, "root.a.x").partitions().accessible()).containsExactly("gpu");
        assertThat(queue(spec, "root.a.x").partitions().capacities())
                .isEqualTo(Map.of("gpu", new LabelCapacity(memory(0.3), Amounts.UNLIMITED)));
        assertThat(queue(spec, "root.b").partitions().capacities())
                .isEqualTo(Map.of("gpu", new LabelCapacity(memory(0.4), memory(0.5))));
        assertThat(queue(spec, "root.b").partitions().usual()).isEqualTo("gpu");
    }

    @Test
    void mappings() throws Exception {
        SchedulerSpec spec = two("queue-mappings=u:maria:a, g:web:root.b,u:%user:root.%primary_group");
        PlacementCondition unnamed = new PlacementCondition(Set.of(), Set.of(), Set.of(), true);
        assertThat(spec.placement())
                .containsExactly(
                        fixed(
                                "root.a",
                                Missing.REFUSE,
                                new PlacementCondition(Set.of("maria"), Set.of(), Set.of(), true)),
                        fixed(
                                "root.b",
                                Missing.REFUSE,
                                new PlacementCondition(Set.of(), Set.of("web"), Set.of(), true)),
                        fixed("root.%primary_group", Missing.PASS, unnamed),
                        new PlacementStep(Kind.REJECT, "root", "", Missing.PASS, null, unnamed),
                        new PlacementStep(Kind.SPECIFIED, "root", ""),
                        new PlacementStep(Kind.REJECT, "root", ""));
        SchedulerSpec override = spec(
                "root.queues=default,users",
                "root.default.capacity=50",
                "root.users.capacity=50",
                "root.users.auto-queue-creation-v2.enabled=true",
                "queue-mappings=u:%user:root.users.%user",
                "queue-mappings-override.enable=true",
                "yarn.scheduler.queue-placement-rules.app-name=report:default");
        assertThat(override.placement())
                .containsExactly(
                        fixed("root.users.%user", Missing.CREATE, PlacementCondition.ANY),
                        fixed("root.default", Missing.REFUSE, PlacementCondition.ANY));
        assertThat(override.rules().newQueues()).isNotNull();
    }

    private static SchedulerSpec json(String... rules) throws ConfigurationException {
        return spec(
                "root.queues=default,users,etl",
                "root.default.capacity=20",
                "root.users.capacity=30",
                "root.etl.capacity=50",
                "root.etl.queues=day,night",
                "root.etl.day.capacity=50",
                "root.etl.night.capacity=50",
                "root.users.auto-queue-creation-v2.enabled=true",
                "queue-mappings-override.enable=true",
                "mapping-rule-format=json",
                "mapping-rule-json={\"rules\": [" + String.join(",", rules).replace('\'', '"') + "]}");
    }

    /** Each policy and each fallback of rules in JSON as steps, without the two at the end. */
    @Test
    void rulesInJson() throws Exception {
        List<PlacementStep> steps = json(
                        "{'type':'user','matches':'bob','policy':'custom','customPlacement':'day'}",
                        "{'type':'group','matches':'web','policy':'primaryGroupUser','parentQueue':'root.users',"
                                + "'fallbackResult':'reject'}",
                        "{'type':'application','matches':'report','policy':'secondaryGroup','create':false,"
                                + "'fallbackResult':'placeDefault'}",
                        "{'type':'group','matches':'night','policy':'setDefaultQueue','value':'root.etl.night'}",
                        "{'type':'user','matches':'eve','policy':'reject'}",
                        "{'type':'user','matches':'*','policy':'specified'}",
                        "{'type':'user','matches':'*','policy':'defaultQueue'}")
                .placement();
        PlacementCondition web = new PlacementCondition(Set.of(), Set.of("web"), Set.of(), false);
        PlacementCondition report = new PlacementCondition(Set.of(), Set.of(), Set.of("report"), false);
        assertThat(steps)
                .containsExactly(
                        fixed("root.etl.day", Missing.REFUSE, users("bob")),
                        fixed("root.users.%primary_group.%user", Missing.CREATE, web),
                        new PlacementStep(Kind.REJECT, "root", "", Missing.PASS, null, web),
                        fixed("%secondary_group", Missing.PASS, report),
                        fixed("root.default", Missing.REFUSE, report),
                        new PlacementStep(Kind.REJECT, "root", "", Missing.PASS, null, users("eve")),
                        fixed("%specified", Missing.CREATE, PlacementCondition.ANY),
                        fixed(
                                "root.etl.night",
                                Missing.REFUSE,
                                new PlacementCondition(Set.of(), Set.of("night"), Set.of(), false)),
                        fixed("root.default", Missing.REFUSE, PlacementCondition.ANY));
    }

    private static PlacementCondition users(String user) {
        return new PlacementCondition(Set.of(user), Set.of(), Set.of(), false);
    }

    @Test
    void rulesInAFile() throws Exception {
        Path rules = Files.writeString(
                directory.resolve("rules.json"),
                "{\"rules\":[{\"type\":\"user\",\"matches\":\"*\",\"policy\":\"custom\",\"customPlacement\":\"b\"}]}");
        assertThat(two(
                                "mapping-rule-format=json",
                                "queue-mappings-override.enable=true",
                                "mapping-rule-json-file=" + rules)
                        .placement())
                .containsExactly(fixed("root.b", Missing.REFUSE, PlacementCondition.ANY));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'type':'user','matches':'bob','policy':'customs'} | has in rule 1 a policy that must be one of",
                "{'type':'host','matches':'bob','policy':'user'} | has in rule 1 a type that must be one of",
                "{'type':'user','policy':'user'} | has in rule 1 no matches: name a user, a group or an application",
                "{'type':'group','matches':'*','policy':'user'} | has in rule 1 * for a group",
                "{'type':'user','matches':'*','policy':'user','fallbackResult':'no'} | a fallbackResult that must be one",
                "{'type':'user','matches':'*','policy':'custom'} | has in rule 1 no customPlacement, which policy custom",
                "{'type':'user','matches':'*','policy':'custom','customPlacement':'root.etl'} | has queues inside",
                "{'type':'user','matches':'*','policy':'custom','customPlacement':'root.et'} | names queue root.et, which is not there",
                "{'type':'user','matches':'*','policy':'user','parentQueue':'root.day.x'} | but root.day.x is not there",
                "{'type':'user' | is no JSON: ",
                "7 | has rule 1, which must be an object with type, matches and policy",
            })
    void aWrongRuleIsRefusedInOneSentence(String rule, String expected) {
        assertThat(catchThrowableOfType(ConfigurationException.class, () -> json(rule)))
                .hasMessageContaining("yarn.scheduler.capacity.mapping-rule-json = ")
                .hasMessageContaining(expected);
    }

    private static PlacementStep fixed(String queue, Missing missing, PlacementCondition condition) {
        return new PlacementStep(Kind.FIXED, "root", queue, missing, null, condition);
    }

    @Test
    void theMonitorsKeys() throws Exception {
        SchedulerSpec spec = two(
                "yarn.resourcemanager.scheduler.monitor.enable=true",
                "yarn.resourcemanager.monitor.capacity.preemption.total_preemption_per_round=0.3",
                "yarn.resourcemanager.monitor.capacity.preemption.max_wait_before_kill=7000",
                "yarn.resourcemanager.monitor.capacity.preemption.observe_only=true");
        assertThat(spec.preemption().mode()).isEqualTo(PreemptionSettings.Mode.DRY_RUN);
        assertThat(spec.preemption().graceMillis()).isEqualTo(7000);
        assertThat(spec.preemption().maxPerSecond()).isEqualTo(0.1);
        QueuePreemptionSettings a = queue(spec, "root.a").protection();
        assertThat(a.guaranteed()).isEqualTo(memory(0.4));
        assertThat(a.belowGuaranteeMillis()).isEqualTo(3000);
        assertThat(a.belowShareMillis()).isEqualTo(QueuePreemptionSettings.NEVER);
        assertThat(two().preemption().mode()).isEqualTo(PreemptionSettings.Mode.OFF);
    }

    /** Each setting that nothing reads has its own sentence. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "root.aa.maximum-capacity=50 | there is no queue root.aa: it must be one of root, root.a, root.b (did"
                        + " you mean root.a?)",
                "root.a.maximum-capasity=50 | is no property of a queue, and has no effect: did you mean maximum-capacity?",
                "root.a.acl_submit_jobs=* | has no effect: YARN has not read it since Hadoop 2; write acl_submit_applications",
                "hive.maximum-am-resource-percent=1 | write root.hive.maximum-am-resource-percent",
                "root.a.maximum-capacity=200 | counts as 100",
                "maximum-am-resource-percnt=1 | is no property of CapacityScheduler, and has no effect",
                "root.a.minimum-user-limit-percent=25 | limits applications and ApplicationMasters of a user",
                "schedule-asynchronously.maximum-threads=4 | has no effect: containers are allocated as soon as",
                "multi-node-sorting.policy=default | has no effect: containers are allocated as soon as",
                "node-locality-delay=20 | has no effect: a request waits a second",
                "root.maximum-am-resource-percent=0.5 | has no effect in root: it is for queues without queues inside",
                "root.a.accessible-node-labels.gpu.maximum-am-resource-percent=1 | has no effect in root.a: it is for",
                "root.a.ordering-policy.fair.enable-size-based-weight=true | has no effect: applications share by",
                "root.a.ordering-policy=fifo-with-partitions | counts as fifo",
                "root.a.maximum-capacity=30 | is less than the capacity, 40",
            })
    void whatHasNoEffectIsSaidOnce(String property, String expected) throws Exception {
        List<String> warnings = reading(more(TWO, property)).warnings();
        assertThat(warnings).hasSize(1).allMatch(warning -> warning.contains(expected));
    }

    /**
     * By default, then by these properties: the most applications of a user, and the parts that masters of users may
     * use.
     */
    @ParameterizedTest
    @CsvSource({
        ", 4000, 0.1, unlimited",
        "root.a.user-limit-factor=0.5, 2000, 0.05, unlimited",
        "root.a.user-limit-factor=2, 4000, 0.2, unlimited",
        "root.a.user-limit-factor=3, 4000, unlimited, unlimited",
        "root.a.user-limit-factor=-1, unlimited, 0.1, unlimited",
        "root.a.minimum-user-limit-percent=25, 1000, 0.1, 0.025",
        "minimum-user-limit-percent=50, 2000, 0.1, 0.05",
        "root.a.maximum-am-resource-percent=0.4, 4000, 0.4, unlimited",
    })
    void whatEachUserMayHave(@Nullable String property, String applications, String most, String least)
            throws Exception {
        QueueSpec a = queue(property == null ? two() : two(property), "root.a");
        assertThat(a.get(QueueSettings.MAX_APPLICATIONS_PER_USER))
                .isEqualTo(applications.equals("unlimited") ? Integer.MAX_VALUE : Integer.parseInt(applications));
        assertThat(text(a.get(QueueSettings.MAX_AM_SHARE_PER_USER))).isEqualTo(most);
        assertThat(text(a.get(QueueSettings.MIN_AM_SHARE_PER_USER))).isEqualTo(least);
    }

    private static String text(double part) {
        return Double.isInfinite(part) ? "unlimited" : String.valueOf(part);
    }

    /** One sentence that names the property, its value and the way out. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "root.queues=a | root.a.capacity=90 | makes a sum of 90 percent for the queues inside root; it must be"
                        + " 100",
                "root.queues=a | root.a.capacity=lots | must be a percentage such as 40",
                "root.queues=a | root.a.capacity=40% | must be a percentage such as 40",
                "root.queues=a | root.a.capacity=140 | must be a percentage from 0 to 100",
                "root.queues=a | root.a.capacity=[memory=x] | must be a whole number",
                "root.queues=a | root.a.capacity=[memory=50%] | are of several kinds",
                "root.queues=a | root.a.capacity=[memory=150%] | must be a percentage from 0 to 100",
                "root.a.maximum-capacity=[memory=2w] | | must have no weight",
                "root.a.maximum-allocation=memory-mb=50% | | must be amounts",
                "root.queues=a | root.a.capacity=[disk=50] | names disk, which is no resource type of this cluster",
                "root.queues=a | root.b.capacity=100 | are 0 or not set, so that the queues inside root have nothing",
                "root.queues=a.b | root.a.capacity=100 | names a.b, which has a dot",
                "root.queues=a,a | root.a.capacity=100 | names a twice; remove one",
                "root.queues= | root.a.capacity=100 | must name at least one queue",
                "root.a.state=DRAINING | | must be RUNNING or STOPPED",
                "root.a.user-limit-factor=many | | must be a number",
                "root.a.maximum-applications=1.5 | | must be a whole number",
                "root.a.maximum-capacity=-2 | | or -1 for 100",
                "root.a.ordering-policy=lifo | | must be one of fair, fifo",
                "root.ordering-policy=fair | | must be one of priority-utilization, utilization in a queue with queues"
                        + " inside",
                "root.state=STOPPED | root.a.state=RUNNING | because a queue above it is STOPPED",
                "queue-mappings=bob:a | | which must be u:USER:QUEUE or g:GROUP:QUEUE",
                "queue-mappings=x:bob:a | | which must begin with u: or g:",
                "queue-mappings=u:bob:aa | | names queue aa, which is not there: it must be one of root.a, root.b (did"
                        + " you mean root.a?)",
                "queue-mappings=u:bob:root | | names queue root, which has queues inside",
                "queue-mappings=u:%user:a.%user | | but a is a leaf",
                "queue-mappings=u:%user:root.%usr | | has a variable %usr; it must be one of",
                "mapping-rule-format=yaml | | must be legacy or json",
                "resource-calculator=com.example.Mine | | must be one of Hadoop's two",
                "root.a.acl_application_max_priority=[usr=x max_priority=1] | | names usr; it may name user, group",
                "root.a.default-application-lifetime=20 | root.a.maximum-application-lifetime=10 | must not exceed the"
                        + " maximum lifetime",
            })
    void whatIsWrongIsRefusedInOneSentence(String first, String second, String expected) {
        List<String> properties = first.startsWith("root.queues") ? new ArrayList<>() : new ArrayList<>(TWO);
        properties.add(first);
        if (second != null) {
            properties.add(second);
        }
        ConfigurationException refused = catchThrowableOfType(ConfigurationException.class, () -> reading(properties));
        assertThat(refused.problems())
                .anyMatch(problem -> problem.toString().startsWith("capacity-scheduler.xml: ")
                        && problem.toString().contains(expected)
                        && problem.element().contains("yarn.scheduler.capacity."));
    }

    @Test
    void aMappingToANameThatSeveralQueuesHaveIsRefused() {
        ConfigurationException refused = catchThrowableOfType(
                ConfigurationException.class,
                () -> spec(
                        "root.queues=a,b",
                        "root.a.capacity=50",
                        "root.b.capacity=50",
                        "root.b.queues=a",
                        "root.b.a.capacity=100",
                        "queue-mappings=u:bob:a"));
        assertThat(refused)
                .hasMessageContaining(
                        "names queue a, but several queues are called so: write its path, one of root.a, root.b.a");
    }

    @Test
    void mixedKindsOfCapacityAreRefused() {
        ConfigurationException refused = catchThrowableOfType(
                ConfigurationException.class,
                () -> spec("root.queues=a,b", "root.a.capacity=3w", "root.b.capacity=60"));
        assertThat(refused).hasMessageContaining("and those of its siblings in root are of several kinds");
    }

    /** Weights divide what percentages leave. */
    @Test
    void mixedKindsOfCapacityWithoutTheLegacyMode() throws Exception {
        SchedulerSpec spec = spec(
                "legacy-queue-mode.enabled=false",
                DRF,
                "root.queues=a,b,c",
                "root.a.capacity=40",
                "root.b.capacity=1w",
                "root.c.capacity=3w",
                "root.c.user-limit-factor=0.5");
        assertThat(spec.root().children())
                .extracting(child -> child.weights().base())
                .containsExactly(40.0, 15.0, 45.0);
        assertThat(queue(spec, "root.c").maxResourcesPerUser()).isEqualTo(both(0.225));
    }

    /** What a weight or a percentage gives beside amounts depends on the size of the cluster. */
    @Test
    void amountsBesideOtherKindsOfCapacity() throws Exception {
        SchedulerSpec spec = spec(
                "legacy-queue-mode.enabled=false",
                DRF,
                "root.queues=a,b,c",
                "root.a.capacity=[memory=1024,vcores=10%]",
                "root.b.capacity=50",
                "root.c.capacity=3w",
                "root.c.maximum-capacity=[memory=50%,vcores=8]");
        assertThat(spec.root().children())
                .extracting(child -> child.get(QueueSettings.CAPACITY))
                .containsExactly(
                        new Amounts(Map.of("memory-mb", 1024L), Map.of()),
                        new Amounts(Map.of(), Map.of("memory-mb", 0.5)),
                        Amounts.UNLIMITED);
        assertThat(queue(spec, "root.b").weights().of("vcores")).isEqualTo(50);
        assertThat(queue(spec, "root.c").weights().of("vcores")).isEqualTo(40);
        assertThat(queue(spec, "root.b").maxResourcesPerUser())
                .isEqualTo(new Amounts(Map.of(), Map.of("vcores", 0.5, "yarn.io/gpu", 0.5)));
        assertThat(queue(spec, "root.c").maxResourcesPerUser())
                .isEqualTo(new Amounts(Map.of(), Map.of("vcores", 0.4, "yarn.io/gpu", 0.5)));
        assertThat(queue(spec, "root.c").maxResources())
                .isEqualTo(new Amounts(Map.of("vcores", 8L), Map.of("memory-mb", 0.5)));
        assertThat(new SpecReader(NAMES).read("heddle-scheduler.xml", bytes(SpecWriter.write(spec, List.of()))))
                .isEqualTo(spec);
    }

    @ParameterizedTest
    @ValueSource(strings = {"<configuration><property></configuration>", "<!DOCTYPE x><configuration/>"})
    void aFileThatIsNoSiteFileIsRefusedWithItsLine(String xml) {
        ConfigurationException refused = catchThrowableOfType(
                ConfigurationException.class,
                () -> new SpecReader(NAMES).reading("capacity-scheduler.xml", bytes(xml)));
        assertThat(refused).hasMessageContaining("line 1");
    }

    @Test
    void aSiteFileWithoutCapacitiesIsNamedAsWhatItIs() {
        ConfigurationException refused = catchThrowableOfType(
                ConfigurationException.class,
                () -> new SpecReader(NAMES).reading("yarn-site.xml", bytes("<configuration/>")));
        assertThat(refused).hasMessageContaining("so it is no file of CapacityScheduler's");
    }

    @Test
    void valuesAreThoseThatHadoopHandsOut() throws Exception {
        Files.writeString(
                directory.resolve("more.xml"), xml(List.of("root.b.capacity=${half}", "root.a.maximum-capacity=70")));
        String text = xml(List.of("root.queues=${names}", "root.a.capacity=50"))
                .replace(
                        "<configuration>",
                        "<configuration xmlns:xi='http://www.w3.org/2001/XInclude'><xi:include href='more.xml'/>"
                                + "<xi:include href='none.xml'><xi:fallback><property><name>half</name>"
                                + "<value>50</value></property></xi:fallback></xi:include>")
                .replace("root.a.capacity</name>", "root.a.capacity</name><final>true</final>")
                .replace(
                        "</configuration>",
                        "<property><name>yarn.scheduler.capacity.root.a.capacity</name><value>7</value></property>"
                                + "</configuration>");
        Map<String, String> site = new TreeMap<>(Map.of(
                "names", "a,b",
                "yarn.scheduler.capacity.root.b.state", "STOPPED",
                "yarn.scheduler.capacity.root.a.maximum-capacity", "90"));
        SiteSettings settings = new SiteSettings(
                site::get,
                prefix -> site.keySet().stream()
                        .filter(key -> key.startsWith(prefix))
                        .collect(Collectors.toSet()),
                "yarn.scheduler.capacity.root.a.maximum-capacity"::equals);
        SchedulerSpec spec = new SpecReader(NAMES, settings)
                .read(directory.resolve("capacity-scheduler.xml").toString(), bytes(text));
        assertThat(queue(spec, "root.a").weights()).as("final in the file").isEqualTo(Weights.of(50));
        assertThat(queue(spec, "root.b").weights()).as("included").isEqualTo(Weights.of(50));
        assertThat(queue(spec, "root.b").get(QueueSettings.STOPPED))
                .as("yarn-site.xml")
                .isTrue();
        assertThat(queue(spec, "root.a").maxResources())
                .as("final in yarn-site.xml")
                .isEqualTo(memory(0.9));
    }

    @Test
    void aMissingIncludeIsNamed() {
        String text = xml(TWO).replace(
                        "<configuration>",
                        "<configuration xmlns:xi='http://www.w3.org/2001/XInclude'><xi:include href='none.xml'/>");
        ConfigurationException refused = catchThrowableOfType(
                ConfigurationException.class,
                () -> new SpecReader(NAMES)
                        .reading(directory.resolve("capacity-scheduler.xml").toString(), bytes(text)));
        assertThat(refused).hasMessageContaining("line 1: includes none.xml, which cannot be read");
    }

    /** What {@code heddle convert} prints has the same effect. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "queue-mappings=u:bob:a,g:x:root.b,u:%user:root.%user",
                "queue-mappings=u:bob:a,u:%user:b;queue-mappings-override.enable=true",
                "root.a.acl_submit_applications=alice",
                "root.acl_submit_applications= ;root.acl_administer_queue= ;root.a.acl_submit_applications=alice staff",
                "root.a.queues=x,y;root.a.x.capacity=33.333;root.a.y.capacity=66.667;root.a.x.maximum-capacity=70",
                "max-parallel-apps=4;root.a.max-parallel-apps=9",
                "root.a.accessible-node-labels=gpu;root.a.accessible-node-labels.gpu.capacity=100",
                "yarn.resourcemanager.scheduler.monitor.enable=true;root.a.disable_preemption=true",
                "root.b.default-application-priority=3;yarn.cluster.max-application-priority=9",
                "root.ordering-policy=priority-utilization;root.a.priority=2"
            })
    void theConvertedFileSaysTheSame(String properties) throws Exception {
        List<String> all = properties.isEmpty() ? TWO : more(TWO, properties.split(";", -1));
        SchedulerSpec spec = reading(all).spec();
        String converted = SpecWriter.write(spec, List.of());
        assertThat(new SpecReader(NAMES).read("heddle-scheduler.xml", bytes(converted)))
                .as(converted)
                .isEqualTo(spec);
    }
}
