// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.heddle.scheduler.config.ConfigurationException;
import org.heddle.scheduler.config.Problem;
import org.heddle.scheduler.config.edit.SpecWriter;
import org.heddle.scheduler.config.schema.ConfigSchema;
import org.heddle.scheduler.config.schema.ElementSchema;
import org.heddle.scheduler.model.AccessList;
import org.heddle.scheduler.model.Amounts;
import org.heddle.scheduler.model.LabelCapacity;
import org.heddle.scheduler.model.LocalityDelay;
import org.heddle.scheduler.model.PlacementStep;
import org.heddle.scheduler.model.PlacementStep.Kind;
import org.heddle.scheduler.model.Plan;
import org.heddle.scheduler.model.PreemptionSettings;
import org.heddle.scheduler.model.PriorityLimit;
import org.heddle.scheduler.model.QueuePreemptionSettings;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.model.SchedulingDelays;
import org.heddle.scheduler.model.Weights;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("pure")
class SpecReaderTest {
    @Test
    void everyElementReachesItsRecord() throws ConfigurationException {
        SchedulerSpec spec = Samples.read(Samples.FULL);

        assertThat(spec.resourceWeights()).isEqualTo(Map.of("yarn.io/gpu", 2.5));
        assertThat(spec.maxAssign()).isEqualTo(4);
        assertThat(spec.schedulingDelays())
                .isEqualTo(new SchedulingDelays(new LocalityDelay.Time(500, 2_000), 60_000, 0.1));
        assertThat(spec.preemption())
                .isEqualTo(new PreemptionSettings(PreemptionSettings.Mode.DRY_RUN, 20_000, 0.02, 60_000, 0.5, false));
        assertThat(spec.placement())
                .containsExactly(
                        new PlacementStep(Kind.SPECIFIED, "root", ""),
                        new PlacementStep(Kind.USER, "root.science", ""),
                        new PlacementStep(Kind.PRIMARY_GROUP, "root", ""),
                        new PlacementStep(Kind.FIXED, "root", "root.etl"));
        Map<String, QueueSpec> queues =
                spec.root().all().collect(Collectors.toMap(QueueSpec::path, Function.identity()));
        assertThat(queues)
                .containsOnlyKeys(
                        "root",
                        "root.science",
                        "root.science.sort",
                        "root.science.<script>",
                        "root.etl",
                        "root.nightly");
        assertThat(queues.get("root.nightly"))
                .extracting(queue -> queue.plan())
                .isEqualTo(new Plan(
                        "x.Agent",
                        "x.Planner",
                        "x.Admission",
                        7_200_000,
                        0.25,
                        0.5,
                        60_000,
                        false,
                        new Plan.Access(
                                new AccessList(false, Set.of("alice"), Set.of()),
                                AccessList.EVERYONE,
                                AccessList.NOBODY)));
        assertThat(Samples.read(SpecWriter.write(spec, List.of()))).isEqualTo(spec);
        assertThat(queues.get("root.science.sort"))
                .isEqualTo(QueueSpec.at("root.science.sort")
                        .with(QueueSettings.STOPPED, true)
                        .with(QueueSettings.MAX_APPLICATIONS, 40)
                        .with(QueueSettings.ORDER, "fifo")
                        .with(QueueSettings.USER_ORDER, "drf")
                        .with(
                                QueueSettings.MAX_RESOURCES,
                                new Amounts(Map.of("memory-mb", 65_536L, "disk", 2_000L), Map.of("memory-mb", 0.5)))
                        .with(QueueSettings.MAX_RESOURCES_PER_USER, new Amounts(Map.of("vcores", 8L), Map.of()))
                        .with(QueueSettings.MAX_RESOURCES_PER_APPLICATION, new Amounts(Map.of("vcores", 6L), Map.of()))
                        .with(QueueSettings.MAX_RUNNING_APPS, 20)
                        .with(QueueSettings.MAX_RUNNING_APPS_PER_USER, 2)
                        .with(QueueSettings.MAX_AM_SHARE, 0.25)
                        .with(
                                QueueSettings.PRIORITIES,
                                List.of(
                                        new PriorityLimit(new AccessList(false, Set.of("alice"), Set.of()), 9, 0),
                                        new PriorityLimit(AccessList.EVERYONE, 3, 0)))
                        .with(QueueSettings.MAX_APPLICATION_LIFETIME, 7_200_000L)
                        .with(QueueSettings.DEFAULT_APPLICATION_LIFETIME, 1_800_000L)
                        .with(QueueSettings.NODE_LABELS, Set.of("gpu", "fast"))
                        .with(QueueSettings.DEFAULT_NODE_LABEL, "fast")
                        .with(
                                QueueSettings.LABEL_CAPACITIES,
                                Map.of(
                                        "gpu",
                                        new LabelCapacity(
                                                new Amounts(Map.of(), Map.of("memory-mb", 0.5)),
                                                new Amounts(Map.of(), Map.of("memory-mb", 0.7))),
                                        "fast",
                                        new LabelCapacity(
                                                Amounts.UNLIMITED, new Amounts(Map.of("vcores", 9L), Map.of()))))
                        .with(QueueSettings.GUARANTEED_RESOURCES, new Amounts(Map.of("memory-mb", 8_192L), Map.of()))
                        .with(QueueSettings.ALLOW_PREEMPTION_FROM, false)
                        .with(QueueSettings.GUARANTEE_PREEMPTION_TIMEOUT, 5_000L)
                        .with(QueueSettings.FAIR_SHARE_PREEMPTION_TIMEOUT, QueuePreemptionSettings.NEVER)
                        .with(QueueSettings.FAIR_SHARE_PREEMPTION_THRESHOLD, 0.5)
                        .with(QueueSettings.FAIR_SHARE_PREEMPTION_TARGET, 0.8)
                        .with(QueueSettings.USER_WEIGHTS, Map.of("alice", new Weights(2, Map.of("memory-mb", 0.0)))));
        assertThat(queues.get("root.etl")).extracting(QueueSpec::protection).isEqualTo(QueuePreemptionSettings.DEFAULT);
        assertThat(queues.get("root.science"))
                .extracting(QueueSpec::weights, QueueSpec::maxRunningApps, QueueSpec::submit)
                .containsExactly(
                        new Weights(3, Map.of("vcores", 1.5)),
                        100,
                        new AccessList(false, Set.of("alice", "bob"), Set.of("physics", "chemistry")));
        assertThat(queues.get("root"))
                .extracting(QueueSpec::submit, QueueSpec::administer)
                .containsExactly(AccessList.NOBODY, new AccessList(false, Set.of("root"), Set.of()));
        assertThat(queues.get("root.etl"))
                .extracting(QueueSpec::submit, QueueSpec::weights)
                .containsExactly(AccessList.EVERYONE, Weights.of(0));
    }

    @Test
    void prioritiesAreForUsersAndGroupsAndMayHaveADefault() throws ConfigurationException {
        SchedulerSpec spec = Samples.read(Samples.queues("<queue name='default'>"
                + "<max-application-priority users='ann, bob' groups='ops' default='2'>9</max-application-priority>"
                + "<max-application-priority users='*'>3</max-application-priority></queue>"));
        assertThat(spec.root().children().get(0).get(QueueSettings.PRIORITIES))
                .containsExactlyInAnyOrder(
                        new PriorityLimit(new AccessList(false, Set.of("ann", "bob"), Set.of("ops")), 9, 2),
                        new PriorityLimit(AccessList.EVERYONE, 3, 0));
        assertThat(Samples.read(SpecWriter.write(spec, List.of()))).isEqualTo(spec);
    }

    @Test
    void theSmallestFileSaysWhatHoldsWithoutAFile() throws ConfigurationException {
        assertThat(Samples.read("\uFEFF" + Samples.queues("<queue name='default'/>")))
                .as("as some editors save it")
                .isEqualTo(SpecReader.withoutFile());
        assertThat(Samples.read(Samples.queues("<queue name='default'/>"))).isEqualTo(SpecReader.withoutFile());
    }

    @Test
    void allProblemsAreReportedTogetherInTheOrderOfTheirLines() {
        List<Problem> problems = problems(Samples.queues("""
                <queue name="a b"><weight>-2</weight></queue>
                <queue name="etl"><ordr>drf</ordr></queue>
                <queue name="etl"><order>dfr</order></queue>
                """));
        String known = Objects.requireNonNull(ConfigSchema.CHILDREN.get(ConfigSchema.QUEUE)).stream()
                .map(ElementSchema::name)
                .sorted()
                .collect(Collectors.joining(", "));

        assertThat(problems)
                .extracting(Problem::toString)
                .containsExactly(
                        "heddle-scheduler.xml: line 2, <queue name> = 'a b': must have none of .,=:*?\" and no blanks or"
                                + " control characters, and at most 255 letters; write nested queues as nested"
                                + " elements",
                        "heddle-scheduler.xml: line 2, <weight> = '-2': must be 0, or a number from 0.000001 to"
                                + " 1000000",
                        "heddle-scheduler.xml: line 3, <ordr>: is not known inside <queue>: must be one of " + known
                                + " (did you mean order?)",
                        "heddle-scheduler.xml: line 4, <queue name> = 'etl': is taken by the queue on line 3; two"
                                + " queues under root need different names",
                        "heddle-scheduler.xml: line 4, <order> = 'dfr': must be one of drf, fifo (did you mean drf?)");
    }

    /** Each a wrong file and a part of the one sentence about it. In the text, ' is a quotation mark. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // structure
                "T <each>1</each>|<each>: is not known inside <heddle-scheduler>",
                // of a file's own, whatever names the reader uses
                "Q <weight line='7'>1</weight>|<weight> line = '7': is not a known attribute",
                "Q <weight xml:line='7'>1</weight>|<weight> line = '7': is not a known attribute",
                "Q <weight xml:space='preserve'>1</weight>|<weight> space = 'preserve': is not a known attribute",
                // nothing is interpolated
                "Q <weight>${env:HOME}</weight>|<weight> = '${env:HOME}': must be 0, or a number",
                "Q <order>${sys:user.home}</order>|<order> = '${sys:user.home}': must be one of",
                "Q <order>${file:UTF-8:/etc/passwd}</order>|<order> = '${file:UTF-8:/etc/passwd}': must be one of",
                "<configuration/>|has no property that begins with yarn.scheduler.capacity., so it is no file of CapacityScheduler",
                "<heddle-scheduler version='2'/>|version = '2': must be 1",
                "<heddle-scheduler><queue name='root'/></heddle-scheduler>|needs the attribute version",
                "<heddle-scheduler version='1'/>|needs a <queue name=\"root\">",
                "<heddle-scheduler version='1'><queue name='top'/></heddle-scheduler>|'top': must be root",
                "<heddle-scheduler version='1'><queue name='root'/><queue name='b'/></heddle-scheduler>|must stand inside",
                "Q <queue/>|<queue>: needs the attribute name",
                "Q <queue name='a' wieght='2'/>|<queue> wieght = '2': is not a known attribute",
                "Q <queue name='a'>text</queue>|<queue> = 'text': takes no text; remove it",
                "Q <order>drf</order><order>fifo</order>|stands here a second time (first on line 2)",
                "Q <order>drf<b/></order>|nothing may stand inside <order>",
                "<x:heddle-scheduler xmlns:x='urn:x' version='1'/>|name spaces are not used here",
                "<heddle-scheduler version='1'>|is not well-formed XML",
                "plain text|is not well-formed XML",
                // names
                "Q <queue name='a.b'/>|must have none of .,",
                "Q <queue name='a=b'/>|must have none of .,=:*?",
                "Q <queue name='a&#9;b'/>|must have none of .,",
                // numbers
                "Q <weight>NaN</weight>|<weight> = 'NaN': must be 0, or a number",
                "Q <weight/>|<weight>: must be 0, or a number",
                "Q <weight resource='vcore'>1</weight>|'vcore': is not a resource type of this cluster: must be one of disk, memory-mb, vcores, yarn.io/gpu (did you mean vcores?)",
                "Q <weight>1</weight><weight>2</weight>|is given a second time",
                "Q <weight resource='vcores'>1</weight><weight resource='vcores'>2</weight>|<weight> resource = 'vcores': is given a second time",
                "Q <max-am-share>150%</max-am-share>|<max-am-share> = '150%': must be unlimited, or a part from 0 to 1",
                "Q <max-running-apps>-1</max-running-apps>|must be a whole number from 0",
                "Q <max-running-apps>many</max-running-apps>|must be a whole number from 0",
                // limits
                "Q <max-resources><resource name='vcores'>4 GiB</resource></max-resources>|must be a whole number of at most 15 digits, or a percentage",
                "Q <max-resources><resource name='memory-mb'>1 KiB</resource></max-resources>|must be a whole number of MiB",
                "Q <max-resources><resource name='memory-mb'>110%</resource></max-resources>|must be a part from 0 to 1",
                "Q <max-resources><resource name='vcores'>1</resource><resource name='vcores'>2</resource></max-resources>|given a second time",
                "Q <max-resources><resource name='vcores'>4</resource></max-resources><queue name='a'><max-resources><resource name='vcores'>5</resource></max-resources></queue>|<max-resources> vcores = '5': must not exceed the limit of the queues above, 4",
                "Q <max-application-priority default='4'>3</max-application-priority>|must not exceed the highest priority, 3",
                "Q <max-application-priority>high</max-application-priority>|must be",
                "Q <max-resources><resource name='vcores'>4</resource></max-resources><max-resources-per-application><resource name='vcores'>5</resource></max-resources-per-application>|must not exceed the limit of the queue, 4",
                "Q <max-resources><resource name='vcores'>4</resource></max-resources><max-resources-per-user><resource name='vcores'>5</resource></max-resources-per-user>|must not exceed the limit of the queue, 4",
                "Q <max-resources><resource name='vcores'>40%</resource></max-resources><queue name='a'><max-resources><resource name='vcores'>50%</resource></max-resources></queue>|must not exceed the limit of the queues above, 40.0%",
                "Q <max-running-apps>4</max-running-apps><queue name='a'><queue name='b'><max-running-apps>5</max-running-apps></queue></queue>|must not exceed the limit of the queues above, 4",
                "Q <max-running-apps>4</max-running-apps><max-running-apps-per-user>5</max-running-apps-per-user>|must not exceed the limit of the queue, 4",
                // users
                "Q <user name='u'/><queue name='a'/>|<user> = 'u': is for leaf queues",
                "Q <user-order>drf</user-order><queue name='a'/>|<user-order>: is for leaf queues",
                "Q <max-running-apps-per-user>5</max-running-apps-per-user><queue name='a'/>|is for leaf queues",
                "Q <user name='u'/><user name='u'/>|<user> name = 'u': is given a second time",
                "Q <max-am-share>20%</max-am-share><queue name='a'/>|is for leaf queues",
                // access
                "Q <submit users='*,bob'/>|must not name others beside *",
                "Q <queue name='a'><submit users='bob'/></queue>|has no effect, because root admits everyone and access is inherited; write <submit/> in root",
                "Q <administer users='*'/><queue name='a'><administer users='bob'/></queue>|write <administer/> in root",
                // delays
                "T <scheduling-delays><node-locality>-1s</node-locality></scheduling-delays>|<node-locality> = '-1s': must be a duration",
                "T <scheduling-delays><reservation>5</reservation></scheduling-delays>|must be a duration",
                "T <scheduling-delays><max-reserved-nodes>2</max-reserved-nodes></scheduling-delays>|must be a part from 0 to 1",
                // lifetime and labels
                "Q <default-application-lifetime>0s</default-application-lifetime>|must be unlimited, or a duration of 1s or more",
                "Q <max-application-lifetime>1h</max-application-lifetime><queue name='a'><max-application-lifetime>2h</max-application-lifetime></queue>|must not be longer than the limit of the queues above, 3600 s",
                "Q <max-application-lifetime>1h</max-application-lifetime><default-application-lifetime>2h</default-application-lifetime>|must not be longer than the limit of the queue, 3600 s",
                "Q <node-labels>*, gpu</node-labels>|must be node labels, separated by commas, or * for all",
                "Q <node-labels>gpu</node-labels><queue name='a'><node-labels>fast</node-labels></queue>|must name only labels of the queues above: gpu",
                "Q <node-labels>gpu</node-labels><node-label name='fast'/>|must be one of the queue's <node-labels>",
                "Q <node-label name='gpu'/><node-label name='gpu'/>|is given a second time",
                "Q <node-label/>|needs the attribute name",
                "Q <node-label name='gpu'><weight>2</weight></node-label>|is not known inside <node-label>",
                "Q <node-label name='gpu'><max-resources><resource name='vcores'>40%</resource></max-resources></node-label><queue name='a'><queue name='b'><node-label name='gpu'><max-resources><resource name='vcores'>50%</resource></max-resources></node-label></queue></queue>|must not exceed the limit of the queues above, 40.0%",
                "Q <node-label name='gpu'><max-resources><resource name='vcores'>4</resource></max-resources><guaranteed-resources><resource name='vcores'>5</resource></guaranteed-resources></node-label>|must not exceed the limit of the queue, 4",
                "Q <node-labels>gpu</node-labels><default-node-label>fast</default-node-label>|must be one of the queue's <node-labels>",
                // preemption
                "T <preemption><mode>yes</mode></preemption>|<mode> = 'yes': must be off, dry-run or on",
                "T <preemption><max-per-second>0</max-per-second></preemption>|must be a part above 0",
                "Q <queue name='a'><allow-preemption-from>no</allow-preemption-from></queue>|must be true or false",
                "Q <queue name='a'><fair-share-preemption-timeout>soon</fair-share-preemption-timeout></queue>|must be never, or a duration",
                "Q <queue name='a'><guaranteed-resources><resource name='memory-mb'>9</resource></guaranteed-resources><max-resources><resource name='memory-mb'>8</resource></max-resources></queue>|must not exceed the limit of the queue, 8",
                "T <max-assign>0</max-assign>|must be a whole number from 1",
                "T <resource-weights><resource name='vcores'>0</resource></resource-weights>|must be a number from 0.000001",
                "T <resource-weights><resource name='cpu'>1</resource></resource-weights>|is not a resource type",
                // plans
                "Q <queue name='a'><plan>true</plan></queue>|<plan> = 'true': takes no text",
                "Q <queue name='a'><administer>*</administer></queue>|<administer> = '*': takes no text; write users=\"..\", groups=\"..\"",
                "Q <queue name='a'><plan/><queue name='b'/></queue>|must have no queues inside and not be root, because of its <plan>",
                "Q <queue name='a'><plan/><user name='u'/></queue>|<user> = 'u': is for leaf queues",
                "Q <plan/>|must have no queues inside and not be root",
                "Q <queue name='a'><plan><agent>no such class</agent></plan></queue>|must be the full name of a Java class",
                "Q <queue name='a'><plan><on-expiry>wait</on-expiry></plan></queue>|must be move or kill",
                "Q <queue name='a'><plan><peak>0</peak></plan></queue>|must be a part above 0",
                // placement
                "T <placement><fixed queue='root.b'/></placement>|'root.b': is not a queue of this file; give a full path: must be one of root, root.a (did you mean root.a?)",
                "T <placement><fixed/></placement>|needs the attribute queue",
                "T <placement><fixed queue='root'/></placement>|has queues inside and takes no applications",
                "T <placement><user parent='root.a'/></placement>|is a leaf, so no queue can be found under it",
                "R <placement><user/></placement>|<user>: looks for queues under root, which is a leaf: put a queue inside root, or write <queue name=",
                "R <new-queues/><placement><user missing='create'/></placement>|<user>: looks for queues under root, which is a leaf",
                "R <new-queues/><placement><specified missing='create'/></placement>|<specified> missing = 'create': can create no queue, because root is a leaf: put a queue inside root",
                "R <new-queues/><placement><fixed queue='root.b' missing='create'/></placement>|<fixed> queue = 'root.b': cannot be created, because root is a leaf: put a queue inside root",
                "T <new-queues/><placement><fixed queue='root.a.b' missing='create'/></placement>|'root.a.b': cannot be created, because root.a is a leaf",
                "T <new-queues/><placement><fixed queue='a.b' missing='create'/></placement>|'a.b': cannot be created, because it does not begin with root.",
                "T <new-queues/><placement><fixed queue='root.b..c' missing='create'/></placement>|'root.b..c': cannot be created, because a name in it is empty or has blanks at an end",
                "T <new-queues/><placement><user missing='create'><fixed queue='root.a'/></user></placement>|<user>: looks for queues under root.a, which is a leaf",
                "T <placement><reject/><specified/></placement>|<specified>: is never reached, because <reject> on line 1",
            })
    void whatIsWrongIsSaidWithTheWayOut(String file, String sentence) {
        String text = file.replace('\'', '"');
        if (text.startsWith("Q ")) {
            text = Samples.queues(text.substring(2));
        } else if (text.startsWith("R ")) {
            text = "<heddle-scheduler version=\"1\">" + text.substring(2) + "<queue name=\"root\"/></heddle-scheduler>";
        } else if (text.startsWith("T ")) {
            text = "<heddle-scheduler version=\"1\">" + text.substring(2)
                    + "<queue name=\"root\"><queue name=\"a\"/></queue></heddle-scheduler>";
        }

        assertThat(problems(text)).singleElement().satisfies(problem -> {
            assertThat(problem.toString()).contains(sentence).doesNotContain("\n");
            assertThat(problem.line()).isPositive();
        });
    }

    @Test
    void entitiesAreRefusedBeforeTheyAreExpandedOrFetched() {
        String laughs = """
                <?xml version="1.0"?>
                <!DOCTYPE heddle-scheduler [
                  <!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">
                ]>
                <heddle-scheduler version="1"><queue name="root"><queue name="&c;"/></queue></heddle-scheduler>
                """;
        String outside = """
                <!DOCTYPE heddle-scheduler [<!ENTITY secret SYSTEM "file:///etc/hostname">]>
                <heddle-scheduler version="1"><queue name="root"><queue name="q">&secret;</queue></queue></heddle-scheduler>
                """;
        String outsideType = "<!DOCTYPE heddle-scheduler SYSTEM \"file:///etc/hostname\"><heddle-scheduler/>";

        for (String text : List.of(laughs, outside, outsideType)) {
            assertThat(problems(text))
                    .singleElement()
                    .extracting(Problem::wayOut)
                    .isEqualTo("document types and entities are not allowed; remove the declaration");
        }
    }

    @Test
    void otherEncodingsAreRefusedByLine() {
        assertThat(problems("<?xml version=\"1.0\" encoding=\"UTF-16\"?><heddle-scheduler version=\"1\"/>"))
                .singleElement()
                .hasToString("heddle-scheduler.xml: line 1, <?xml encoding = 'UTF-16': must be UTF-8, the only encoding"
                        + " that is read");
        byte[] latin = Samples.queues("\n<queue name='m\u00fcller'/>").getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> Samples.reader().read("heddle-scheduler.xml", latin))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("heddle-scheduler.xml: line 3: is not UTF-8; save the file in that encoding");
    }

    @Test
    void deepNestingEndsInASentence() {
        String text = Samples.queues("<queue name='a'>".repeat(5_000) + "</queue>".repeat(5_000));

        assertThat(problems(text))
                .singleElement()
                .extracting(Problem::wayOut)
                .isEqualTo("is nested deeper than 40 elements");
    }

    @Test
    void theMessageIsOneLineHoweverManyProblems() {
        String text = Samples.queues("<weight>-1</weight>\n".repeat(100));

        ConfigurationException refused = refusal(text);

        assertThat(refused.problems()).hasSizeGreaterThanOrEqualTo(100);
        assertThat(refused)
                .message()
                .doesNotContain("\n")
                .contains("line 2, <weight> = '-1'")
                .endsWith(" more");
    }

    private static List<Problem> problems(String text) {
        return refusal(text).problems();
    }

    private static ConfigurationException refusal(String text) {
        ConfigurationException refused = catchThrowableOfType(
                ConfigurationException.class,
                () -> Samples.reader().read("heddle-scheduler.xml", text.getBytes(StandardCharsets.UTF_8)));
        assertThat(refused).as("should be refused: %s", text).isNotNull();
        return refused;
    }
}
