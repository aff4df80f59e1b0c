// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.fair;

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
import org.heddle.scheduler.config.ConfigurationException;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.SpecLocation;
import org.heddle.scheduler.config.edit.SpecWriter;
import org.heddle.scheduler.config.read.Samples;
import org.heddle.scheduler.config.read.SpecReader;
import org.heddle.scheduler.config.read.SpecSource;
import org.heddle.scheduler.model.AccessList;
import org.heddle.scheduler.model.Amounts;
import org.heddle.scheduler.model.Plan;
import org.heddle.scheduler.model.PreemptionSettings;
import org.heddle.scheduler.model.QueuePreemptionSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.SchedulerSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** FairScheduler's files, read without FairScheduler; what it makes of them is compared in {@code FairFilesTest}. */
@Tag("pure")
class FairReaderTest {
    private static final KnownNames NAMES = KnownNames.of(
            List.of("drf", "fair", "fifo", "lottery"), Map.of("memory-mb", "Mi", "vcores", "", "yarn.io/gpu", ""));
    private static final List<String> ELEMENTS =
            List.of("minResources", "maxResources", "maxContainerAllocation", "maxChildResources");
    private static final List<String> BAD_AMOUNTS = List.of(
            "lots",
            "1024",
            "1024 mb",
            "-5 mb, 1 vcores",
            "1024 mb, -1 vcores",
            "memory-mb=1024 mb",
            "memory-mb=-1",
            "memory=1024",
            "vcores=4, memory-mb",
            "vcores==4",
            "vcores=4%, memory-mb=2048",
            "-10%",
            "10% cpu",
            "10% memory, 20% disk");
    private static final Map<String, List<String>> BAD_VALUES = Map.of(
            "maxRunningApps", List.of("many", "1.5", "99999999999"),
            "maxAMShare", List.of("half", "50%", "NaN"),
            "weight", List.of("heavy", "-1", "1e9", "two.five"),
            "schedulingPolicy", List.of("drr", "com.example.Mine", "lottery"),
            "minSharePreemptionTimeout", List.of("soon", "1.5"),
            "fairSharePreemptionTimeout", List.of("1m", "-1s"),
            "fairSharePreemptionThreshold", List.of("most", "90%"));
    private static final List<String> BAD_TOP = List.of(
            "<userMaxAppsDefault>few</userMaxAppsDefault>",
            "<queueMaxAppsDefault>2 apps</queueMaxAppsDefault>",
            "<queueMaxResourcesDefault>all</queueMaxResourcesDefault>",
            "<queueMaxAMShareDefault>tenth</queueMaxAMShareDefault>",
            "<defaultQueueSchedulingPolicy>fifo</defaultQueueSchedulingPolicy>",
            "<defaultQueueSchedulingMode>none</defaultQueueSchedulingMode>",
            "<defaultFairSharePreemptionTimeout>x</defaultFairSharePreemptionTimeout>",
            "<defaultMinSharePreemptionTimeout></defaultMinSharePreemptionTimeout>",
            "<defaultFairSharePreemptionThreshold>x</defaultFairSharePreemptionThreshold>",
            "<fairSharePreemptionTimeout>x</fairSharePreemptionTimeout>",
            "<user name='u'><maxRunningApps>x</maxRunningApps></user>",
            "<user name='u'><maxRunningApps/></user>",
            "<queue/>",
            "<queue name=''/>",
            "<queue name='  '/>",
            "<queue name='a.b'/>",
            "<queue name='ROOT'/>",
            "<queue name='root'/><queue name='a'/>",
            "<queue name='a'><maxAMShare>0.1</maxAMShare><queue name='b'/></queue>",
            "<queue name='a' type='parent'><maxAMShare>0.1</maxAMShare></queue>",
            "<queue name='a'><reservation/><queue name='b'/></queue>",
            "<queue name='a'><aclSubmitApps></aclSubmitApps></queue>",
            "<queue name='a'><aclAdministerApps/></queue>",
            "<queue name='a'><weight></weight></queue>",
            "<queue name='a'><weight><b>1</b></weight></queue>",
            "<queue name='a'><queue name='b.c'/></queue>",
            "<queuePlacementPolicy/>",
            "<queuePlacementPolicy> </queuePlacementPolicy>",
            "<queuePlacementPolicy><rule/></queuePlacementPolicy>",
            "<queuePlacementPolicy><rule name='users'/></queuePlacementPolicy>",
            "<queuePlacementPolicy><rule name='specified'/></queuePlacementPolicy>",
            "<queuePlacementPolicy><rule name='user' create='false'/></queuePlacementPolicy>",
            "<queuePlacementPolicy><rule name='default'/><rule name='user'/></queuePlacementPolicy>",
            "<queuePlacementPolicy><rule name='reject'/><rule name='default'/></queuePlacementPolicy>",
            "<queuePlacementPolicy><rule name='nestedUserQueue'/></queuePlacementPolicy>",
            "<queuePlacementPolicy><rule name='nestedUserQueue'><rule name='reject'/></rule></queuePlacementPolicy>",
            "<queuePlacementPolicy><rule name='nestedUserQueue'><rule name='user'/></rule></queuePlacementPolicy>",
            "<queuePlacementPolicy><rule name='specified'><rule name='user'/></rule><rule"
                    + " name='reject'/></queuePlacementPolicy>",
            "<queuePlacementPolicy><rule name='default'><rule name='user'/></rule></queuePlacementPolicy>",
            "<queuePlacementPolicy><rule name='reject'><rule name='user'/></rule></queuePlacementPolicy>");

    @TempDir
    Path directory;

    private static SpecReader.Reading read(String text, String... keys) throws ConfigurationException {
        Map<String, String> site = new java.util.HashMap<>();
        for (int i = 0; i < keys.length; i += 2) {
            site.put("yarn.scheduler.fair." + keys[i], keys[i + 1]);
        }
        return new SpecReader(NAMES, site::get)
                .reading("fair-scheduler.xml", text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    private static QueueSpec queue(SchedulerSpec spec, String path) {
        return spec.root()
                .all()
                .filter(one -> one.path().equals(path))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> broken() {
        List<String> files = new ArrayList<>(List.of(
                "",
                "not xml",
                "<allocations>",
                "<allocations></allocation>",
                "<allocations><queue name=a/></allocations>",
                "<configuration/>",
                "<!DOCTYPE a [<!ENTITY b 'c'>]><allocations/>",
                "<allocations>&nbsp;</allocations>",
                "<allocations/><allocations/>"));
        BAD_TOP.forEach(inside -> files.add("<allocations>" + inside + "</allocations>"));
        for (String element : ELEMENTS) {
            for (String amount : BAD_AMOUNTS) {
                files.add(inQueue(element, amount));
            }
        }
        BAD_VALUES.forEach((element, values) -> values.forEach(value -> files.add(inQueue(element, value))));
        return files;
    }

    private static String inQueue(String element, String value) {
        return "<allocations><queue name='a'><" + element + ">" + value + "</" + element + "></queue></allocations>";
    }

    /**
     * More than a hundred broken files, each handed to a source that has a good one: one sentence, and nothing changes.
     */
    @Test
    void eachBrokenFileGetsOneSentenceAndChangesNothing() throws Exception {
        Path file = directory.resolve("fair-scheduler.xml");
        Files.writeString(file, "<allocations><queue name=\"good\"><weight>2</weight></queue></allocations>");
        SpecSource source = SpecSource.open(
                SpecLocation.from(
                        key -> key.endsWith("allocation.file") ? file.toString() : null, name -> null, place -> true),
                new SpecReader(NAMES),
                1_000);
        SchedulerSpec good = source.spec();
        List<String> files = broken();
        assertThat(files).hasSizeGreaterThan(100).doesNotHaveDuplicates();
        for (String broken : files) {
            Files.writeString(file, broken.replace('\'', '"'));
            ConfigurationException refused = catchThrowableOfType(
                    ConfigurationException.class, () -> source.reload(2_000, SpecSource.Objection.NONE));
            assertThat(refused).as(broken).isNotNull();
            assertThat(refused.problems()).as(broken).hasSize(1);
            assertThat(refused.getMessage())
                    .as(broken)
                    .startsWith(file.toString())
                    .doesNotContain("Exception", "null", "\n")
                    .hasSizeBetween(
                            file.toString().length() + 20, file.toString().length() + 400);
            assertThat(source.spec()).as(broken).isSameAs(good);
            assertThat(source.configuration().problem()).as(broken).isEqualTo(refused.getMessage());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "vcores=4, memory-mb=8192 | {memory-mb=8192, vcores=4} | {}",
                "memory-mb=8192 | {memory-mb=8192} | {}",
                "vcores=40%,memory-mb=50% | {} | {memory-mb=0.5, vcores=0.4}",
                "8192 mb, 4 vcores | {memory-mb=8192, vcores=4, yarn.io/gpu=0} | {}",
                "8192 MB, 4 vcores | {memory-mb=8192, vcores=4, yarn.io/gpu=0} | {}",
                "8192mb 4vcores | {memory-mb=8192, vcores=4, yarn.io/gpu=0} | {}",
                "8192.7 mb,4.2 vcores | {memory-mb=8192, vcores=4, yarn.io/gpu=0} | {}",
                "4 vcores, 8192 mb | {memory-mb=8192, vcores=4, yarn.io/gpu=0} | {}",
                "50% | {} | {memory-mb=0.5, vcores=0.5, yarn.io/gpu=0.5}",
                "12.5% | {} | {memory-mb=0.125, vcores=0.125, yarn.io/gpu=0.125}",
                "150% | {} | {memory-mb=1.5, vcores=1.5, yarn.io/gpu=1.5}",
                "40% memory, 60% cpu | {} | {memory-mb=0.4, vcores=0.6, yarn.io/gpu=0.0}",
            })
    void everySyntaxOfAmounts(String text, String absolute, String fraction) {
        Amounts amounts = new FairAmount(NAMES.resources()).parse(text.trim());
        assertThat(amounts.absolute().toString()).isEqualTo(absolute);
        assertThat(amounts.fraction().toString()).isEqualTo(fraction);
    }

    /** Each has no effect, or another than one might think, and is named with the reason. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<userMaxJobsDefault>5</userMaxJobsDefault> | <userMaxJobsDefault>: is not known here and has no"
                        + " effect",
                "<queue name='a'><maxResource>5</maxResource></queue> | did you mean maxResources?",
                "<queue name='a'><minResources>50%</minResources></queue> | takes no percentages here",
                "<queue name='a'><maxContainerAllocation>50%</maxContainerAllocation></queue> | takes no percentages"
                        + " here",
                "<queue name='a'><maxRunningApps>-1</maxRunningApps></queue> | lets nothing run",
                "<queue name='a'><fairSharePreemptionThreshold>7</fairSharePreemptionThreshold></queue> | counts as 1,"
                        + " as under FairScheduler",
                "<defaultFairSharePreemptionThreshold>-0.5</defaultFairSharePreemptionThreshold> | counts as 0, as"
                        + " under FairScheduler",
                "<queue name='a'><allowPreemptionFrom>yes</allowPreemptionFrom></queue> | counts as false",
                "<queue name='a' typ='parent'/> | only name and type=\"parent\" have one",
                "<queue name='a'/><queue name='a'/> | is configured a second time",
                "<queue name='a'><schedulingPolicy>drf</schedulingPolicy></queue> | is left out with all inside it",
                "<queue name='a'><schedulingPolicy>fifo</schedulingPolicy><queue name='b'/></queue> | fifo is for leaf"
                        + " queues",
                "<user><maxRunningApps>1</maxRunningApps></user> | has no effect without name",
                "<queuePlacementPolicy><rule name='default' queue='.x'/></queuePlacementPolicy> | root.default counts",
                "<queuePlacementPolicy><rule name='user' create='yes'/><rule name='reject'/></queuePlacementPolicy> |"
                        + " counts as false",
            })
    void whatHasNoEffectIsNamedOnce(String inside, String warning) throws ConfigurationException {
        SpecReader.Reading reading = read("<allocations>" + inside + "</allocations>");
        assertThat(reading.warnings()).hasSize(1).first().asString().contains(warning.trim());
    }

    @Test
    void keysWithoutAnEffectAreNamedWithTheReason() throws ConfigurationException {
        assertThat(read("<allocations/>", "update-interval-ms", "100").warnings())
                .singleElement()
                .asString()
                .contains("yarn.scheduler.fair.update-interval-ms", "shares are kept up to date");
        assertThat(read("<allocations/>", "sizebasedweight", "maybe").warnings())
                .singleElement()
                .asString()
                .contains("must be true or false", "as under FairScheduler");
        assertThat(read("<allocations/>").warnings()).isEmpty();
    }

    @Test
    void reservationsAreReadAndCanBePrintedInBothFormats() throws ConfigurationException {
        String file = "<allocations><reservation-agent>x.Agent</reservation-agent>"
                + "<reservation-policy>x.Policy</reservation-policy><reservation-planner>x.Planner</reservation-planner><queue"
                + " name='a'><reservation/><aclSubmitReservations>alice"
                + " staff</aclSubmitReservations><aclAdministerReservations> ops</aclAdministerReservations></queue><queue"
                + " name='b'/></allocations>";
        SpecReader.Reading reading = read(file);
        assertThat(reading.warnings()).isEmpty();
        SchedulerSpec spec = reading.spec();
        assertThat(queue(spec, "root.b").plan()).isNull();
        assertThat(queue(spec, "root.a").plan())
                .isEqualTo(Plan.DEFAULT
                        .by("x.Agent", "x.Planner", "x.Policy")
                        .open(new Plan.Access(
                                new AccessList(false, Set.of("alice"), Set.of("staff")),
                                AccessList.EVERYONE,
                                new AccessList(false, Set.of(), Set.of("ops")))));
        FairWriter.Result fair = FairWriter.write(spec);
        assertThat(read(fair.text()).spec()).isEqualTo(spec);
        assertThat(fair.lost()).noneMatch(line -> line.contains("reservations"));
        assertThat(new SpecReader(NAMES)
                        .read(
                                "heddle-scheduler.xml",
                                SpecWriter.write(spec, List.of()).getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(spec);
    }

    @Test
    void preemptionIsRead() throws ConfigurationException {
        SchedulerSpec spec = read(
                        "<allocations><defaultMinSharePreemptionTimeout>7</defaultMinSharePreemptionTimeout><queue"
                                + " name='a'><minResources>1024 mb, 1 vcores</minResources>"
                                + "<fairSharePreemptionTimeout>9</fairSharePreemptionTimeout>"
                                + "<fairSharePreemptionThreshold>0.8</fairSharePreemptionThreshold><queue"
                                + " name='b'><allowPreemptionFrom>false</allowPreemptionFrom></queue></queue></allocations>",
                        "preemption",
                        "true",
                        "waitTimeBeforeKill",
                        "4000",
                        "am.preemption",
                        "false")
                .spec();
        assertThat(spec.preemption())
                .extracting(
                        PreemptionSettings::mode,
                        PreemptionSettings::graceMillis,
                        PreemptionSettings::reservationStuckMillis,
                        PreemptionSettings::minUtilization,
                        PreemptionSettings::masters)
                .containsExactly(PreemptionSettings.Mode.ON, 4_000L, QueuePreemptionSettings.NEVER, 0.8, false);
        assertThat(queue(spec, "root.a").protection().guaranteed().absolute()).containsEntry("memory-mb", 1_024L);
        assertThat(queue(spec, "root.a.b").protection())
                .extracting(
                        p -> p.revocable(),
                        p -> p.belowGuaranteeMillis(),
                        p -> p.belowShareMillis(),
                        p -> p.threshold(),
                        p -> p.restored())
                .containsExactly(false, 7_000L, 9_000L, 0.8, 0.8);
    }

    /** Printed as heddle-scheduler.xml and read again, and as fair-scheduler.xml and read again, it is the same. */
    @ParameterizedTest
    @ValueSource(strings = {"warehouse.xml", "university.xml", "old-cluster.xml"})
    void bothFormatsCanBePrintedAndReadAgain(String name) throws Exception {
        String text = resource(name).replace("course 101", "course-101"); // no blanks in heddle-scheduler.xml
        SchedulerSpec spec = read(
                        text,
                        "assignmultiple",
                        "true",
                        "locality.threshold.node",
                        "0.5",
                        "locality.threshold.rack",
                        "0.3")
                .spec();

        String heddle = SpecWriter.write(spec, List.of("a -- remark"));
        assertThat(heddle).contains("version=\"1\" compatibility=\"fair-scheduler\"");
        assertThat(new SpecReader(NAMES).read("heddle-scheduler.xml", heddle.getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(spec);

        String fair = FairWriter.write(spec).text();
        assertThat(read(
                                fair,
                                "assignmultiple",
                                "true",
                                "locality.threshold.node",
                                "0.5",
                                "locality.threshold.rack",
                                "0.3")
                        .spec())
                .isEqualTo(spec);
    }

    @Test
    void whatFairSchedulerCannotSayIsSaid() throws ConfigurationException {
        FairWriter.Result result = FairWriter.write(Samples.read(Samples.FULL));
        assertThat(result.lost())
                .anyMatch(line -> line.contains("root.science: weights by resource"))
                .anyMatch(line -> line.contains("weights of users"))
                .anyMatch(line -> line.contains("<resource-weights>"));
        assertThat(result.text()).contains("<allocations>", "<rule name=\"specified\"");
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(FairReaderTest.class.getResourceAsStream("/fair/" + name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
