// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.edit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.heddle.scheduler.config.schema.AllocationSchema;
import org.heddle.scheduler.config.schema.ConfigSchema;
import org.heddle.scheduler.config.schema.ElementSchema;
import org.heddle.scheduler.config.schema.ElementSchema.Valued;
import org.heddle.scheduler.config.schema.LabelSchema;
import org.heddle.scheduler.config.schema.PreemptionSchema;
import org.heddle.scheduler.config.xml.XmlWriter;
import org.heddle.scheduler.model.AccessList;
import org.heddle.scheduler.model.Amounts;
import org.heddle.scheduler.model.ClusterRules;
import org.heddle.scheduler.model.LocalityDelay;
import org.heddle.scheduler.model.MinimumOffer;
import org.heddle.scheduler.model.NewQueues;
import org.heddle.scheduler.model.PlacementCondition;
import org.heddle.scheduler.model.PlacementStep;
import org.heddle.scheduler.model.PreemptionSettings;
import org.heddle.scheduler.model.PriorityLimit;
import org.heddle.scheduler.model.QueueSetting;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.model.SchedulingDelays;
import org.heddle.scheduler.model.Weights;
import org.heddle.scheduler.model.Words;
import org.heddle.settings.ValueKind;

/** Prints a specification as {@code heddle-scheduler.xml}; reading that gives the same specification again. */
public final class SpecWriter {
    private static final Map<String, String> NONE = Map.of();

    private final XmlWriter xml = new XmlWriter();
    private final Map<QueueSetting<?>, Consumer<QueueSpec>> own = Map.of(
            QueueSettings.WEIGHT, queue -> weights(queue.weights()),
            QueueSettings.PLAN, queue -> queue.get(QueueSettings.PLAN).ifPresent(plan -> PlanWriter.write(plan, xml)),
            QueueSettings.PRIORITIES,
                    queue -> queue.get(QueueSettings.PRIORITIES).forEach(this::priority),
            QueueSettings.LABEL_CAPACITIES, this::labels,
            QueueSettings.USER_WEIGHTS, this::users);

    private SpecWriter() {}

    /** The file, with remarks at its top. */
    public static String write(SchedulerSpec spec, List<String> remarks) {
        SpecWriter writer = new SpecWriter();
        writer.file(spec, remarks);
        return writer.xml.toString();
    }

    private void file(SchedulerSpec spec, List<String> remarks) {
        remarks.forEach(xml::comment);
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("version", ConfigSchema.VERSION);
        ClusterRules.Compatibility compatibility = spec.rules().compatibility();
        boolean usual = compatibility == ClusterRules.Compatibility.HEDDLE;
        attributes.put("compatibility", usual ? "" : ValueKind.written(compatibility));
        xml.open(ConfigSchema.FILE.name(), attributes);
        named(ConfigSchema.RESOURCE_WEIGHTS, ConfigSchema.RESOURCE_WEIGHT, spec.resourceWeights());
        unlessUsual(ConfigSchema.MAX_ASSIGN, spec.maxAssign());
        rules(spec.rules());
        delays(spec.schedulingDelays());
        preemption(spec.preemption());
        users(spec.rules());
        xml.open(ConfigSchema.PLACEMENT.name(), NONE);
        spec.placement().forEach(this::step);
        xml.close(ConfigSchema.PLACEMENT.name());
        NewQueues newQueues = spec.rules().newQueues();
        if (newQueues != null) {
            newQueues(newQueues.template());
        }
        queue(spec.root(), QueueSpec.root());
        xml.close(ConfigSchema.FILE.name());
    }

    private <T> void unlessUsual(Valued<T> rule, T value) {
        unlessUsual(rule, value, xml);
    }

    static <T> void unlessUsual(Valued<T> rule, T value, XmlWriter xml) {
        if (!value.equals(rule.fallback())) {
            xml.value(rule.element().name(), NONE, Words.text(value));
        }
    }

    private <T> void value(Valued<T> rule, T value) {
        value(rule, Words.text(value), xml);
    }

    static void value(Valued<?> rule, String text, XmlWriter xml) {
        xml.value(rule.element().name(), NONE, text);
    }

    private void rules(ClusterRules rules) {
        unlessUsual(AllocationSchema.ALLOCATION, rules.allocation().moment());
        unlessUsual(AllocationSchema.NODE_CHOICE, rules.allocation().nodeChoice());
        unlessUsual(ConfigSchema.MEMORY_ONLY, rules.memoryOnly());
        unlessUsual(ConfigSchema.DYNAMIC_MAX_ASSIGN, rules.dynamicMaxAssign());
        MinimumOffer offer = rules.minimumOffer();
        if (offer.mode() != MinimumOffer.Mode.OFF) {
            Map<String, String> attributes = new LinkedHashMap<>();
            attributes.put("mode", Words.text(offer.mode()));
            attributes.put("largest-part", Words.plain(offer.largestPart()));
            amounts(ConfigSchema.MINIMUM_OFFER.name(), offer.size(), attributes);
        }
        unlessUsual(ConfigSchema.SIZE_BASED_WEIGHT, rules.weighBySize());
        unlessUsual(ConfigSchema.USAGE_HALF_LIFE, rules.usageHalfLifeMillis());
        named(ConfigSchema.INCREMENT_ALLOCATION, ConfigSchema.INCREMENT, rules.increments());
    }

    /** A list of elements with names, unless it is empty. */
    private void named(ElementSchema list, ElementSchema element, Map<String, ?> values) {
        if (!values.isEmpty()) {
            xml.open(list.name(), NONE);
            rows(element, values);
            xml.close(list.name());
        }
    }

    private void rows(ElementSchema element, Map<String, ?> values) {
        new TreeMap<>(values)
                .forEach((name, value) -> xml.value(
                        element.name(),
                        Map.of("name", name),
                        value instanceof Double number ? Words.plain(number) : String.valueOf(value)));
    }

    private void delays(SchedulingDelays delays) {
        xml.open(ConfigSchema.SCHEDULING_DELAYS.name(), NONE);
        if (delays.locality() instanceof LocalityDelay.Time time) {
            value(ConfigSchema.NODE_LOCALITY, time.node());
            value(ConfigSchema.RACK_LOCALITY, time.rack());
        }
        value(ConfigSchema.RESERVATION, delays.reservation());
        value(ConfigSchema.MAX_RESERVED_NODES, delays.maxReservedNodes());
        if (delays.locality() instanceof LocalityDelay.Nodes nodes) {
            value(ConfigSchema.NODE_LOCALITY_THRESHOLD, nodes.node());
            value(ConfigSchema.RACK_LOCALITY_THRESHOLD, nodes.rack());
        }
        xml.close(ConfigSchema.SCHEDULING_DELAYS.name());
    }

    private void preemption(PreemptionSettings settings) {
        xml.open(PreemptionSchema.PREEMPTION.name(), NONE);
        value(PreemptionSchema.PREEMPTION_MODE, settings.mode());
        value(PreemptionSchema.GRACE_PERIOD, settings.graceMillis());
        value(PreemptionSchema.MAX_PREEMPTED_PER_SECOND, settings.maxPerSecond());
        value(PreemptionSchema.RESERVATION_TIMEOUT, Words.time(settings.reservationStuckMillis(), "never"), xml);
        value(PreemptionSchema.UTILIZATION_THRESHOLD, settings.minUtilization());
        value(PreemptionSchema.PREEMPTED_MASTERS, settings.masters() ? "last" : "never", xml);
        xml.close(PreemptionSchema.PREEMPTION.name());
    }

    private void users(ClusterRules rules) {
        boolean each = rules.maxRunningAppsPerUser() != Integer.MAX_VALUE;
        if (!each && rules.maxRunningAppsOfUser().isEmpty()) {
            return;
        }
        xml.open(ConfigSchema.USER_LIMITS.name(), NONE);
        unlessUsual(ConfigSchema.DEFAULT_USER_LIMIT, rules.maxRunningAppsPerUser());
        rows(ConfigSchema.ONE_USER, rules.maxRunningAppsOfUser());
        xml.close(ConfigSchema.USER_LIMITS.name());
    }

    private void step(PlacementStep step) {
        String name = switch (step.kind()) {
            case SPECIFIED -> ConfigSchema.SPECIFIED.name();
            case USER -> ConfigSchema.USER_STEP.name();
            case PRIMARY_GROUP -> ConfigSchema.GROUP_STEP.name();
            case SECONDARY_GROUP -> ConfigSchema.SECONDARY_STEP.name();
            case FIXED -> ConfigSchema.FIXED.name();
            case REJECT -> ConfigSchema.REJECT.name();
        };
        PlacementStep usual = new PlacementStep(step.kind(), step.parent(), step.queue());
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("queue", step.queue());
        attributes.put("parent", step.parent().equals(ConfigSchema.ROOT_QUEUE) ? "" : step.parent());
        attributes.put(
                "missing",
                step.missing() == usual.missing() ? "" : step.missing().name().toLowerCase(Locale.ROOT));
        attributes.putAll(condition(step.condition()));
        PlacementStep under = step.under();
        if (under == null) {
            xml.empty(name, attributes);
        } else {
            xml.open(name, attributes);
            step(under);
            xml.close(name);
        }
    }

    private static Map<String, String> condition(PlacementCondition condition) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("users", String.join(",", new TreeSet<>(condition.users())));
        attributes.put("groups", String.join(",", new TreeSet<>(condition.groups())));
        attributes.put("applications", String.join(",", new TreeSet<>(condition.applications())));
        attributes.put("unnamed", condition.unnamed() ? "true" : "");
        return attributes;
    }

    private void newQueues(QueueSpec template) {
        xml.open(ConfigSchema.NEW_QUEUES.name(), NONE);
        for (QueueSetting<?> setting : QueueSettings.ALL) {
            boolean always = setting.equals(QueueSettings.ORDER) || setting.equals(QueueSettings.MAX_AM_SHARE);
            if (always
                    || (setting.is(QueueSetting.Trait.FOR_NEW_QUEUES)
                            && template.values().containsKey(setting))) {
                write(setting, template);
            }
        }
        xml.close(ConfigSchema.NEW_QUEUES.name());
    }

    /** @param silent the queue if the file says nothing of it */
    private void queue(QueueSpec queue, QueueSpec silent) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("name", queue.name());
        attributes.put("type", queue.parent() && !queue.isPlan() ? "parent" : "");
        xml.open(ConfigSchema.QUEUE.name(), attributes);
        for (QueueSetting<?> setting : QueueSettings.ALL) {
            boolean possible = queue.isLeaf() || !setting.is(QueueSetting.Trait.LEAF_ONLY);
            if (possible && !queue.get(setting).equals(usual(setting, queue, silent))) {
                write(setting, queue);
            }
        }
        queue.children().forEach(child -> queue(child, queue.inside(child.name())));
        xml.close(ConfigSchema.QUEUE.name());
    }

    /** An inherited value is not larger than the limit of the queue. */
    private static <T> T usual(QueueSetting<T> setting, QueueSpec queue, QueueSpec silent) {
        T usual = silent.get(setting);
        QueueSetting<T> limit = setting.limit();
        if (limit == null || limit.equals(setting) || !setting.is(QueueSetting.Trait.INHERITED)) {
            return usual;
        }
        return setting.smaller(usual, queue.get(limit));
    }

    private <T> void write(QueueSetting<T> setting, QueueSpec queue) {
        T value = queue.get(setting);
        switch (setting.form()) {
            case TEXT, ORDER -> xml.value(setting.name(), NONE, setting.text(value));
            case AMOUNTS -> amounts(setting.name(), (Amounts) value, NONE);
            case PEOPLE -> xml.empty(setting.name(), people((AccessList) value));
            case OWN -> Objects.requireNonNull(own.get(setting), setting::name).accept(queue);
        }
    }

    private void weights(Weights weights) {
        if (weights.base() != 1) {
            xml.value(ConfigSchema.WEIGHT.name(), NONE, Words.plain(weights.base()));
        }
        weights.byResource()
                .forEach((resource, weight) ->
                        xml.value(ConfigSchema.WEIGHT.name(), Map.of("resource", resource), Words.plain(weight)));
    }

    private void labels(QueueSpec queue) {
        new TreeMap<>(queue.get(QueueSettings.LABEL_CAPACITIES)).forEach((label, capacity) -> {
            xml.open(LabelSchema.NODE_LABEL.name(), Map.of("name", label));
            amounts(LabelSchema.GUARANTEED.name(), capacity.guaranteed(), NONE);
            amounts(LabelSchema.MAX.name(), capacity.max(), NONE);
            xml.close(LabelSchema.NODE_LABEL.name());
        });
    }

    private void users(QueueSpec queue) {
        new TreeMap<>(queue.userWeights()).forEach((user, weights) -> {
            xml.open(ConfigSchema.USER.name(), Map.of("name", user));
            weights(weights);
            xml.close(ConfigSchema.USER.name());
        });
    }

    private void priority(PriorityLimit limit) {
        Map<String, String> attributes = people(limit.who());
        attributes.put("default", String.valueOf(limit.usual()));
        xml.value(ConfigSchema.MAX_APPLICATION_PRIORITY.name(), attributes, String.valueOf(limit.most()));
    }

    static Map<String, String> people(AccessList list) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("users", list.everyone() ? "*" : String.join(",", new TreeSet<>(list.users())));
        attributes.put("groups", String.join(",", new TreeSet<>(list.groups())));
        return attributes;
    }

    private void amounts(String name, Amounts amounts, Map<String, String> attributes) {
        if (amounts.isUnlimited()) {
            if (!attributes.isEmpty()) {
                xml.empty(name, attributes);
            }
            return;
        }
        xml.open(name, attributes);
        rows(ConfigSchema.RESOURCE_LIMIT, amounts.absolute());
        Map<String, String> parts = new TreeMap<>();
        amounts.fraction().forEach((resource, part) -> parts.put(resource, Words.percentage(part)));
        rows(ConfigSchema.RESOURCE_LIMIT, parts);
        xml.close(name);
    }
}
