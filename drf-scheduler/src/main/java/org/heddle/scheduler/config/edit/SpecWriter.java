// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.edit;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.heddle.scheduler.config.read.SpecReader;
import org.heddle.scheduler.config.schema.AllocationSchema;
import org.heddle.scheduler.config.schema.ConfigSchema;
import org.heddle.scheduler.config.schema.ElementSchema;
import org.heddle.scheduler.config.schema.LabelSchema;
import org.heddle.scheduler.config.schema.PreemptionSchema;
import org.heddle.scheduler.config.xml.XmlWriter;
import org.heddle.scheduler.model.AccessList;
import org.heddle.scheduler.model.AllocationMode;
import org.heddle.scheduler.model.Amounts;
import org.heddle.scheduler.model.ClusterRules;
import org.heddle.scheduler.model.Lifetime;
import org.heddle.scheduler.model.LocalityDelay;
import org.heddle.scheduler.model.MinimumOffer;
import org.heddle.scheduler.model.NewQueues;
import org.heddle.scheduler.model.Partitions;
import org.heddle.scheduler.model.PlacementCondition;
import org.heddle.scheduler.model.PlacementStep;
import org.heddle.scheduler.model.Plan;
import org.heddle.scheduler.model.PreemptionSettings;
import org.heddle.scheduler.model.PriorityLimit;
import org.heddle.scheduler.model.QueuePreemptionSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.QueueTraits;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.model.SchedulingDelays;
import org.heddle.scheduler.model.Weights;
import org.heddle.settings.ValueKind;

/** Prints a specification as {@code heddle-scheduler.xml}; reading that gives the same specification again. */
public final class SpecWriter {
    private static final Map<String, String> NONE = Map.of();

    private final XmlWriter xml = new XmlWriter();

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
        if (!spec.resourceWeights().isEmpty()) {
            xml.open(ConfigSchema.RESOURCE_WEIGHTS.name(), NONE);
            new TreeMap<>(spec.resourceWeights())
                    .forEach((name, weight) ->
                            xml.value(ConfigSchema.RESOURCE_WEIGHT.name(), Map.of("name", name), plain(weight)));
            xml.close(ConfigSchema.RESOURCE_WEIGHTS.name());
        }
        unless(spec.maxAssign() == Integer.MAX_VALUE, ConfigSchema.MAX_ASSIGN, String.valueOf(spec.maxAssign()));
        rules(spec.rules());
        delays(spec.schedulingDelays());
        preemption(spec.preemption());
        users(spec.rules());
        xml.open(ConfigSchema.PLACEMENT.name(), NONE);
        spec.placement().forEach(this::step);
        xml.close(ConfigSchema.PLACEMENT.name());
        NewQueues newQueues = spec.rules().newQueues();
        if (newQueues != null) {
            newQueues(newQueues);
        }
        queue(spec.root(), SpecReader.withoutFile().root(), true);
        xml.close(ConfigSchema.FILE.name());
    }

    private void unless(boolean usual, ElementSchema.Valued<?> rule, String value) {
        if (!usual) {
            xml.value(rule.element().name(), NONE, value);
        }
    }

    private void rules(ClusterRules rules) {
        AllocationMode allocation = rules.allocation();
        unless(
                allocation.moment() == AllocationSchema.ALLOCATION.fallback(),
                AllocationSchema.ALLOCATION,
                ValueKind.written(allocation.moment()));
        unless(
                allocation.nodeChoice() == AllocationSchema.NODE_CHOICE.fallback(),
                AllocationSchema.NODE_CHOICE,
                ValueKind.written(allocation.nodeChoice()));
        unless(!rules.dynamicMaxAssign(), ConfigSchema.DYNAMIC_MAX_ASSIGN, "true");
        MinimumOffer offer = rules.minimumOffer();
        if (offer.mode() != MinimumOffer.Mode.OFF) {
            Map<String, String> attributes = new LinkedHashMap<>();
            attributes.put("mode", offer.mode().name().toLowerCase(Locale.ROOT));
            attributes.put("largest-part", plain(offer.largestPart()));
            amounts(ConfigSchema.MINIMUM_OFFER.name(), offer.size(), attributes);
        }
        unless(!rules.weighBySize(), ConfigSchema.SIZE_BASED_WEIGHT, "true");
        unless(rules.usageHalfLifeMillis() == 0, ConfigSchema.USAGE_HALF_LIFE, rules.usageHalfLifeMillis() + "ms");
        if (!rules.increments().isEmpty()) {
            xml.open(ConfigSchema.INCREMENT_ALLOCATION.name(), NONE);
            rules.increments()
                    .forEach((name, step) ->
                            xml.value(ConfigSchema.INCREMENT.name(), Map.of("name", name), String.valueOf(step)));
            xml.close(ConfigSchema.INCREMENT_ALLOCATION.name());
        }
    }

    private void delays(SchedulingDelays delays) {
        xml.open(ConfigSchema.SCHEDULING_DELAYS.name(), NONE);
        if (delays.locality() instanceof LocalityDelay.Time time) {
            xml.value(ConfigSchema.NODE_LOCALITY.element().name(), NONE, time.node() + "ms");
            xml.value(ConfigSchema.RACK_LOCALITY.element().name(), NONE, time.rack() + "ms");
        }
        xml.value(ConfigSchema.RESERVATION.element().name(), NONE, delays.reservation() + "ms");
        xml.value(ConfigSchema.MAX_RESERVED_NODES.element().name(), NONE, plain(delays.maxReservedNodes()));
        if (delays.locality() instanceof LocalityDelay.Nodes nodes) {
            xml.value(ConfigSchema.NODE_LOCALITY_THRESHOLD.element().name(), NONE, plain(nodes.node()));
            xml.value(ConfigSchema.RACK_LOCALITY_THRESHOLD.element().name(), NONE, plain(nodes.rack()));
        }
        xml.close(ConfigSchema.SCHEDULING_DELAYS.name());
    }

    private void preemption(PreemptionSettings settings) {
        xml.open(PreemptionSchema.PREEMPTION.name(), NONE);
        xml.value(
                PreemptionSchema.PREEMPTION_MODE.element().name(),
                NONE,
                settings.mode().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        xml.value(PreemptionSchema.GRACE_PERIOD.element().name(), NONE, settings.graceMillis() + "ms");
        xml.value(PreemptionSchema.MAX_PREEMPTED_PER_SECOND.element().name(), NONE, plain(settings.maxPerSecond()));
        xml.value(
                PreemptionSchema.RESERVATION_TIMEOUT.element().name(), NONE, waitOf(settings.reservationStuckMillis()));
        xml.value(PreemptionSchema.UTILIZATION_THRESHOLD.element().name(), NONE, plain(settings.minUtilization()));
        xml.value(PreemptionSchema.PREEMPTED_MASTERS.element().name(), NONE, settings.masters() ? "last" : "never");
        xml.close(PreemptionSchema.PREEMPTION.name());
    }

    private void users(ClusterRules rules) {
        boolean each = rules.maxRunningAppsPerUser() != Integer.MAX_VALUE;
        if (!each && rules.maxRunningAppsOfUser().isEmpty()) {
            return;
        }
        xml.open(ConfigSchema.USER_LIMITS.name(), NONE);
        unless(!each, ConfigSchema.DEFAULT_USER_LIMIT, String.valueOf(rules.maxRunningAppsPerUser()));
        rules.maxRunningAppsOfUser()
                .forEach((user, most) ->
                        xml.value(ConfigSchema.ONE_USER.name(), Map.of("name", user), String.valueOf(most)));
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

    private void newQueues(NewQueues queues) {
        xml.open(ConfigSchema.NEW_QUEUES.name(), NONE);
        xml.value(ConfigSchema.ORDER.element().name(), NONE, queues.order());
        unless(
                queues.userOrder().equals(ConfigSchema.USER_ORDER.fallback()),
                ConfigSchema.USER_ORDER,
                queues.userOrder());
        unless(queues.division() == QueueTraits.Division.USERS, ConfigSchema.DIVIDE_BY, "applications");
        amounts(ConfigSchema.MAX_RESOURCES.name(), queues.maxResources(), NONE);
        unless(
                queues.maxRunningApps() == Integer.MAX_VALUE,
                ConfigSchema.MAX_RUNNING_APPS,
                String.valueOf(queues.maxRunningApps()));
        xml.value(ConfigSchema.MAX_AM_SHARE.element().name(), NONE, amShare(queues.maxAmShare()));
        xml.close(ConfigSchema.NEW_QUEUES.name());
    }

    private void queue(QueueSpec queue, QueueSpec above, boolean root) {
        QueueTraits traits = queue.traits();
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("name", queue.name());
        attributes.put("type", traits.parent() && !traits.isPlan() ? "parent" : "");
        xml.open(ConfigSchema.QUEUE.name(), attributes);
        weights(queue.weights());
        unless(!traits.stopped(), ConfigSchema.STOPPED, "stopped");
        unless(
                traits.maxApplications() == Integer.MAX_VALUE,
                ConfigSchema.MAX_APPLICATIONS,
                String.valueOf(traits.maxApplications()));
        unless(traits.priority() == 0, ConfigSchema.PRIORITY, String.valueOf(traits.priority()));
        unless(queue.order().equals(ConfigSchema.ORDER.fallback()), ConfigSchema.ORDER, queue.order());
        if (queue.isLeaf()) {
            unless(
                    queue.userOrder().equals(ConfigSchema.USER_ORDER.fallback()),
                    ConfigSchema.USER_ORDER,
                    queue.userOrder());
            unless(traits.division() == QueueTraits.Division.USERS, ConfigSchema.DIVIDE_BY, "applications");
        }
        amounts(ConfigSchema.MAX_RESOURCES.name(), queue.maxResources(), NONE);
        amounts(ConfigSchema.MAX_RESOURCES_PER_USER.name(), queue.maxResourcesPerUser(), NONE);
        amounts(ConfigSchema.MAX_RESOURCES_PER_APPLICATION.name(), traits.maxApplication(), NONE);
        amounts(ConfigSchema.MAX_CONTAINER.name(), traits.maxContainer(), NONE);
        amounts(ConfigSchema.MAX_CHILD_RESOURCES.name(), traits.maxNewQueue(), NONE);
        Plan plan = traits.plan();
        if (plan != null) {
            PlanWriter.write(plan, xml);
        }
        unless(
                queue.maxRunningApps() == Integer.MAX_VALUE,
                ConfigSchema.MAX_RUNNING_APPS,
                String.valueOf(queue.maxRunningApps()));
        unless(
                queue.maxRunningAppsPerUser() == Integer.MAX_VALUE,
                ConfigSchema.MAX_RUNNING_APPS_PER_USER,
                String.valueOf(queue.maxRunningAppsPerUser()));
        if (queue.isLeaf()) {
            unless(
                    queue.maxAmShare() == ConfigSchema.MAX_AM_SHARE.fallback(),
                    ConfigSchema.MAX_AM_SHARE,
                    amShare(queue.maxAmShare()));
        }
        lifetime(queue.lifetime(), above.lifetime());
        partitions(queue.partitions(), above.partitions());
        protection(queue.protection(), above.protection());
        traits.priorities().forEach(this::priority);
        access(ConfigSchema.SUBMIT.name(), queue.submit(), root);
        access(ConfigSchema.ADMINISTER.name(), queue.administer(), false);
        new TreeMap<>(queue.userWeights()).forEach((user, weights) -> {
            xml.open(ConfigSchema.USER.name(), Map.of("name", user));
            weights(weights);
            xml.close(ConfigSchema.USER.name());
        });
        queue.children().forEach(child -> queue(child, queue, false));
        xml.close(ConfigSchema.QUEUE.name());
    }

    private void weights(Weights weights) {
        if (weights.base() != 1) {
            xml.value(ConfigSchema.WEIGHT.name(), NONE, plain(weights.base()));
        }
        weights.byResource()
                .forEach((resource, weight) ->
                        xml.value(ConfigSchema.WEIGHT.name(), Map.of("resource", resource), plain(weight)));
    }

    private void lifetime(Lifetime own, Lifetime above) {
        unless(
                own.mostMillis() == above.mostMillis(),
                ConfigSchema.MAX_APPLICATION_LIFETIME,
                lifetime(own.mostMillis()));
        unless(
                own.usualMillis() == Math.min(above.usualMillis(), own.mostMillis()),
                ConfigSchema.DEFAULT_APPLICATION_LIFETIME,
                lifetime(own.usualMillis()));
    }

    private static String lifetime(long millis) {
        return millis == Lifetime.UNLIMITED ? "unlimited" : millis + "ms";
    }

    private void partitions(Partitions own, Partitions above) {
        unless(
                own.accessible().equals(above.accessible()),
                ConfigSchema.NODE_LABELS,
                String.join(",", new TreeSet<>(own.accessible())));
        unless(own.usual().equals(above.usual()), ConfigSchema.DEFAULT_NODE_LABEL, own.usual());
        new TreeMap<>(own.capacities()).forEach((label, capacity) -> {
            xml.open(LabelSchema.NODE_LABEL.name(), Map.of("name", label));
            amounts(LabelSchema.GUARANTEED.name(), capacity.guaranteed(), NONE);
            amounts(LabelSchema.MAX.name(), capacity.max(), NONE);
            xml.close(LabelSchema.NODE_LABEL.name());
        });
    }

    private void protection(QueuePreemptionSettings own, QueuePreemptionSettings above) {
        amounts(ConfigSchema.GUARANTEED_RESOURCES.name(), own.guaranteed(), NONE);
        unless(
                own.revocable() == above.revocable(),
                ConfigSchema.ALLOW_PREEMPTION_FROM,
                String.valueOf(own.revocable()));
        unless(
                own.belowGuaranteeMillis() == above.belowGuaranteeMillis(),
                ConfigSchema.GUARANTEE_PREEMPTION_TIMEOUT,
                waitOf(own.belowGuaranteeMillis()));
        unless(
                own.belowShareMillis() == above.belowShareMillis(),
                ConfigSchema.FAIR_SHARE_PREEMPTION_TIMEOUT,
                waitOf(own.belowShareMillis()));
        unless(
                own.threshold() == above.threshold(),
                ConfigSchema.FAIR_SHARE_PREEMPTION_THRESHOLD,
                plain(own.threshold()));
        unless(own.restored() == above.restored(), ConfigSchema.FAIR_SHARE_PREEMPTION_TARGET, plain(own.restored()));
    }

    private static String waitOf(long millis) {
        return millis == QueuePreemptionSettings.NEVER ? "never" : millis + "ms";
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

    private void access(String name, AccessList list, boolean openByDefault) {
        boolean empty = list.users().isEmpty() && list.groups().isEmpty();
        boolean usual = openByDefault ? list.everyone() : !list.everyone() && empty;
        if (!usual) {
            xml.empty(name, people(list));
        }
    }

    private void amounts(String name, Amounts amounts, Map<String, String> attributes) {
        if (amounts.isUnlimited()) {
            if (!attributes.isEmpty()) {
                xml.empty(name, attributes);
            }
            return;
        }
        xml.open(name, attributes);
        amounts.absolute()
                .forEach((resource, units) ->
                        xml.value(ConfigSchema.RESOURCE_LIMIT.name(), Map.of("name", resource), String.valueOf(units)));
        amounts.fraction()
                .forEach((resource, part) ->
                        xml.value(ConfigSchema.RESOURCE_LIMIT.name(), Map.of("name", resource), percent(part)));
        xml.close(name);
    }

    private static String amShare(double part) {
        return Double.isInfinite(part) ? "unlimited" : plain(part);
    }

    private static String percent(double part) {
        return new BigDecimal(String.valueOf(part))
                        .movePointRight(2)
                        .stripTrailingZeros()
                        .toPlainString() + "%";
    }

    private static String plain(double value) {
        return new BigDecimal(String.valueOf(value)).stripTrailingZeros().toPlainString();
    }
}
