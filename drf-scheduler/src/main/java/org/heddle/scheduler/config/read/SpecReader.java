// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.read;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.heddle.scheduler.config.ConfigurationException;
import org.heddle.scheduler.config.FairKeys;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.SpecLocation;
import org.heddle.scheduler.config.capacity.CapacityFileReader;
import org.heddle.scheduler.config.fair.FairFileReader;
import org.heddle.scheduler.config.fair.FairSiteReader;
import org.heddle.scheduler.config.schema.ConfigSchema;
import org.heddle.scheduler.config.schema.PreemptionSchema;
import org.heddle.scheduler.config.site.SiteFile;
import org.heddle.scheduler.config.site.SiteSettings;
import org.heddle.scheduler.config.xml.ConfigNode;
import org.heddle.scheduler.config.xml.Problems;
import org.heddle.scheduler.config.xml.XmlFile;
import org.heddle.scheduler.model.ClusterRules;
import org.heddle.scheduler.model.LocalityDelay;
import org.heddle.scheduler.model.PlacementStep;
import org.heddle.scheduler.model.PreemptionSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.model.SchedulingDelays;
import org.heddle.settings.ValueKind;
import org.jspecify.annotations.Nullable;

/** Reads {@code heddle-scheduler.xml} and validates it as a whole: it reports all errors at once. */
public final class SpecReader {
    /** Files larger than this, in bytes, are refused unread. */
    public static final int LARGEST_FILE = 16 << 20;

    /** The scheduler whose format a queue file has. */
    public enum Format {
        HEDDLE(SpecLocation.DEFAULT_NAME),
        FAIR(FairKeys.DEFAULT_FILE),
        CAPACITY(SpecLocation.CAPACITY_NAME);

        private final String file;

        Format(String file) {
            this.file = file;
        }

        /** The usual name of such a file. */
        public String file() {
            return file;
        }
    }

    private final KnownNames names;
    private final Function<String, @Nullable String> site;
    private final SiteSettings settings;

    public SpecReader(KnownNames names) {
        this(names, key -> null);
    }

    /**
     * A reader for a cluster.
     *
     * @param site from a key in {@code yarn-site.xml} to its value, null where it is not set; FairScheduler's keys
     *     count where the file is one of FairScheduler's
     */
    public SpecReader(KnownNames names, Function<String, @Nullable String> site) {
        this(names, SiteSettings.of(site));
    }

    /** The same where also the names of the keys are known, which CapacityScheduler's configuration needs. */
    public SpecReader(KnownNames names, SiteSettings settings) {
        this.names = names;
        this.site = settings.values();
        this.settings = settings;
    }

    /**
     * The result of reading a file.
     *
     * @param spec the specification
     * @param warnings settings that have no effect, or an unexpected one; one sentence each
     * @param format that the file had
     */
    public record Reading(SchedulerSpec spec, List<String> warnings, Format format) {
        public Reading {
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * The specification in a file.
     *
     * @param file its name, for messages
     * @param content its bytes
     * @throws ConfigurationException with every problem of the file; no other exception, whatever the bytes
     */
    public SchedulerSpec read(String file, byte[] content) throws ConfigurationException {
        return reading(file, content).spec();
    }

    /** The same with the warnings. */
    public Reading reading(String file, byte[] content) throws ConfigurationException {
        if (SiteFile.isOne(content)) {
            return capacity(file, SiteFile.withIncludes(file, content));
        }
        ConfigNode root = XmlFile.read(file, content);
        Problems problems = new Problems(file);
        boolean fair = root.name().equals(FairFileReader.ROOT_ELEMENT);
        SchedulerSpec spec = fair ? fair(root, problems) : heddle(root, problems);
        if (!problems.isEmpty()) {
            throw problems.exception();
        }
        return new Reading(spec, problems.warnings(), fair ? Format.FAIR : Format.HEDDLE);
    }

    /** Whether a file is one of CapacityScheduler's that says no more than the one that every Hadoop brings along. */
    public boolean saysNothing(String file, byte[] content) {
        try {
            return SiteFile.isOne(content) && CapacityFileReader.saysNothing(read(file, content));
        } catch (ConfigurationException e) {
            return false; // it says something wrong
        }
    }

    private Reading capacity(String file, SiteFile content) throws ConfigurationException {
        Problems problems = new Problems(file);
        if (!content.properties().keySet().stream().anyMatch(key -> key.startsWith(CapacityFileReader.prefix()))
                && !CapacityFileReader.isUsed(settings)) {
            problems.add(
                    1,
                    "<" + SiteFile.ROOT_ELEMENT + ">",
                    "",
                    "has no property that begins with " + CapacityFileReader.prefix()
                            + ", so it is no file of CapacityScheduler's; give a heddle-scheduler.xml, a"
                            + " fair-scheduler.xml or a capacity-scheduler.xml");
            throw problems.exception();
        }
        SchedulerSpec spec = new CapacityFileReader(content, names, settings, problems).read();
        if (!problems.isEmpty()) {
            throw problems.exception();
        }
        return new Reading(spec, problems.warnings(), Format.CAPACITY);
    }

    private SchedulerSpec fair(ConfigNode root, Problems problems) {
        return new FairFileReader(names, new FairSiteReader(site, problems), problems).read(root);
    }

    private SchedulerSpec heddle(ConfigNode root, Problems problems) throws ConfigurationException {
        refuseOtherFormats(root, problems);
        new SchemaValidator(problems).check(root, ConfigSchema.FILE);
        if (FairSiteReader.isUsed(site)) {
            problems.warn(
                    0, FairKeys.PREFIX + "*", "", "has no effect while " + SpecLocation.DEFAULT_NAME + " is in force");
        }
        return spec(root, problems);
    }

    /**
     * The specification if there is no file: one leaf, open to everyone; or, if FairScheduler's keys are set, what
     * FairScheduler does without a file; or, if CapacityScheduler's are, what they say.
     */
    Reading absent() throws ConfigurationException {
        if (FairSiteReader.isUsed(site)) {
            return reading("the keys " + FairKeys.PREFIX + "*", empty(FairFileReader.ROOT_ELEMENT));
        }
        if (CapacityFileReader.isUsed(settings)) {
            Reading keys = reading("the keys " + CapacityFileReader.prefix() + "*", empty(SiteFile.ROOT_ELEMENT));
            if (!CapacityFileReader.saysNothing(keys.spec())) {
                return keys;
            }
        }
        return new Reading(withoutFile(), List.of(), Format.HEDDLE);
    }

    private static byte[] empty(String element) {
        return ("<" + element + "/>").getBytes(StandardCharsets.UTF_8);
    }

    /** The specification if there is no file: one leaf, open to everyone. */
    public static SchedulerSpec withoutFile() {
        QueueSpec root = QueueSpec.root();
        return new SchedulerSpec(
                root.withChildren(List.of(root.inside("default"))),
                Map.of(),
                PlacementReader.DEFAULT,
                SchedulingDelays.DEFAULT,
                PreemptionSettings.DEFAULT,
                ClusterRules.DEFAULT,
                Integer.MAX_VALUE);
    }

    /** A file of another kind or version gets one error only. */
    private static void refuseOtherFormats(ConfigNode root, Problems problems) throws ConfigurationException {
        if (!root.name().equals(ConfigSchema.FILE.name())) {
            problems.add(
                    root.line(),
                    root.tag(),
                    "",
                    "the outermost element must be <" + ConfigSchema.FILE.name() + " version=\""
                            + ConfigSchema.VERSION + "\">, or <" + FairFileReader.ROOT_ELEMENT
                            + "> for a file of FairScheduler's, or <" + SiteFile.ROOT_ELEMENT
                            + "> for one of CapacityScheduler's");
            throw problems.exception();
        }
        String version = root.attribute("version");
        if (!version.isEmpty() && !version.equals(ConfigSchema.VERSION)) {
            problems.add(
                    root.line(),
                    root.tag() + " version",
                    version,
                    "must be " + ConfigSchema.VERSION + ", the only version of the format that this release reads");
            throw problems.exception();
        }
    }

    private SchedulerSpec spec(ConfigNode root, Problems problems) {
        ClusterRules.Compatibility compatibility = compatibility(root, problems);
        boolean likeFairScheduler = compatibility == ClusterRules.Compatibility.FAIR_SCHEDULER;
        QueueSpec rootQueue = rootQueue(root, problems, likeFairScheduler);
        List<PlacementStep> placement = root.child(ConfigSchema.PLACEMENT)
                .map(element -> new PlacementReader(
                                problems,
                                rootQueue,
                                root.child(ConfigSchema.NEW_QUEUES).isPresent())
                        .read(element))
                .orElse(PlacementReader.DEFAULT);
        return new SchedulerSpec(
                rootQueue,
                resourceWeights(root, problems),
                placement,
                schedulingDelays(root, problems),
                preemption(root, problems),
                new RulesReader(names, problems).read(root, compatibility),
                problems.value(root, ConfigSchema.MAX_ASSIGN));
    }

    private static ClusterRules.Compatibility compatibility(ConfigNode root, Problems problems) {
        String written = root.attribute("compatibility");
        for (ClusterRules.Compatibility each : ClusterRules.Compatibility.values()) {
            if (ValueKind.written(each).equals(written)) {
                return each;
            }
        }
        if (!written.isEmpty()) {
            List<String> known = Arrays.stream(ClusterRules.Compatibility.values())
                    .map(ValueKind::written)
                    .toList();
            problems.add(root.line(), root.tag() + " compatibility", written, KnownNames.choices(written, known));
        }
        return ClusterRules.Compatibility.HEDDLE;
    }

    private QueueSpec rootQueue(ConfigNode root, Problems problems, boolean lenient) {
        List<ConfigNode> outermost = root.children(ConfigSchema.QUEUE);
        QueueReader reader = new QueueReader(names, problems, lenient);
        if (outermost.isEmpty()) {
            problems.add(root.line(), root.tag(), "", "needs a <queue name=\"root\"> with all others inside it");
            return withoutFile().root();
        }
        for (ConfigNode another : outermost.subList(1, outermost.size())) {
            problems.add(
                    another.line(),
                    "<queue name>",
                    another.attribute("name"),
                    "must stand inside <queue name=\"root\">, which starts on line "
                            + outermost.get(0).line());
        }
        return reader.readRoot(outermost.get(0));
    }

    private Map<String, Double> resourceWeights(ConfigNode root, Problems problems) {
        Map<String, Double> weights = new HashMap<>();
        for (ConfigNode list : root.children(ConfigSchema.RESOURCE_WEIGHTS)) {
            for (ConfigNode element : list.children(ConfigSchema.RESOURCE_WEIGHT)) {
                String resource = problems.resource(element, "name", names);
                if (weights.put(resource, problems.value(element, ValueKind.POSITIVE_WEIGHT, 1.0)) != null) {
                    problems.addDuplicate(element, "name", resource);
                }
            }
        }
        return weights;
    }

    private static PreemptionSettings preemption(ConfigNode root, Problems problems) {
        ConfigNode element = root.child(PreemptionSchema.PREEMPTION)
                .orElse(ConfigNode.absent(PreemptionSchema.PREEMPTION.name(), root.line()));
        return new PreemptionSettings(
                problems.value(element, PreemptionSchema.PREEMPTION_MODE),
                problems.value(element, PreemptionSchema.GRACE_PERIOD),
                problems.value(element, PreemptionSchema.MAX_PREEMPTED_PER_SECOND),
                problems.value(element, PreemptionSchema.RESERVATION_TIMEOUT),
                problems.value(element, PreemptionSchema.UTILIZATION_THRESHOLD),
                problems.value(element, PreemptionSchema.PREEMPTED_MASTERS));
    }

    private static SchedulingDelays schedulingDelays(ConfigNode root, Problems problems) {
        ConfigNode delays = root.child(ConfigSchema.SCHEDULING_DELAYS)
                .orElse(ConfigNode.absent(ConfigSchema.SCHEDULING_DELAYS.name(), root.line()));
        return new SchedulingDelays(
                locality(delays, problems),
                problems.value(delays, ConfigSchema.RESERVATION),
                problems.value(delays, ConfigSchema.MAX_RESERVED_NODES));
    }

    private static LocalityDelay locality(ConfigNode delays, Problems problems) {
        LocalityDelay.Time set = new LocalityDelay.Time(
                problems.value(delays, ConfigSchema.NODE_LOCALITY), problems.value(delays, ConfigSchema.RACK_LOCALITY));
        LocalityDelay.Nodes counted = new LocalityDelay.Nodes(
                problems.value(delays, ConfigSchema.NODE_LOCALITY_THRESHOLD),
                problems.value(delays, ConfigSchema.RACK_LOCALITY_THRESHOLD));
        if (counted.node() >= 0 != counted.rack() >= 0) {
            problems.add(
                    delays.line(),
                    delays.tag(),
                    "",
                    "needs both <node-locality-threshold> and <rack-locality-threshold> or neither, because one alone would have no effect");
        }
        if (counted.node() >= 0 && counted.rack() >= 0) {
            return counted;
        }
        boolean isSet = delays.child(ConfigSchema.NODE_LOCALITY.element()).isPresent()
                || delays.child(ConfigSchema.RACK_LOCALITY.element()).isPresent();
        return isSet ? set : LocalityDelay.WhileRoom.DEFAULT;
    }
}
