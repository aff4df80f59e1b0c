// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.fair;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.heddle.scheduler.config.schema.ConfigSchema;
import org.heddle.scheduler.config.xml.XmlWriter;
import org.heddle.scheduler.model.AccessList;
import org.heddle.scheduler.model.Amounts;
import org.heddle.scheduler.model.ClusterRules;
import org.heddle.scheduler.model.Lifetime;
import org.heddle.scheduler.model.MinimumOffer;
import org.heddle.scheduler.model.NewQueues;
import org.heddle.scheduler.model.Partitions;
import org.heddle.scheduler.model.PlacementStep;
import org.heddle.scheduler.model.PlacementStep.Missing;
import org.heddle.scheduler.model.Plan;
import org.heddle.scheduler.model.QueuePreemptionSettings;
import org.heddle.scheduler.model.QueueSetting;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.model.Words;
import org.jspecify.annotations.Nullable;

/**
 * Prints a specification as FairScheduler's {@code fair-scheduler.xml}, and lists the settings that FairScheduler does
 * not have. It prints all settings of each queue, so that no defaults matter.
 */
public final class FairWriter {
    private static final Map<String, String> NONE = Map.of();
    private static final Set<String> POLICIES = Set.of(FairFileReader.FAIR, FairFileReader.FIFO, FairFileReader.DRF);

    /** Settings that FairScheduler does not have, and for which it is said otherwise. */
    private static final Set<QueueSetting<?>> NAMED_OTHERWISE = Set.of(
            QueueSettings.USER_ORDER,
            QueueSettings.DIVIDE_BY,
            QueueSettings.PRIORITIES,
            QueueSettings.MAX_APPLICATION_LIFETIME,
            QueueSettings.DEFAULT_APPLICATION_LIFETIME,
            QueueSettings.NODE_LABELS,
            QueueSettings.DEFAULT_NODE_LABEL,
            QueueSettings.LABEL_CAPACITIES,
            QueueSettings.FAIR_SHARE_PREEMPTION_TARGET,
            QueueSettings.USER_WEIGHTS);

    private static final PlacementStep DEFAULT_QUEUE =
            new PlacementStep(PlacementStep.Kind.FIXED, ConfigSchema.ROOT_QUEUE, "default", Missing.PASS, null);

    private final XmlWriter xml = new XmlWriter();
    private final List<String> lost = new ArrayList<>();
    /** The classes for reservations, which FairScheduler configures once for all queues. */
    private Plan sharedPlan = Plan.DEFAULT;

    /**
     * A file and the settings that it cannot hold.
     *
     * @param text the file
     * @param lost one sentence each
     */
    public record Result(String text, List<String> lost) {}

    private FairWriter() {}

    public static Result write(SchedulerSpec spec) {
        FairWriter writer = new FairWriter();
        writer.file(spec);
        return new Result(writer.xml.toString(), List.copyOf(writer.lost));
    }

    private void file(SchedulerSpec spec) {
        xml.open(FairFileReader.ROOT_ELEMENT, NONE);
        ClusterRules rules = spec.rules();
        if (!rules.likeFairScheduler()) {
            lost.add("FairScheduler applies access lists even if yarn.acl.enable is off, and to YARN's administrators"
                    + " too");
        }
        if (!spec.resourceWeights().isEmpty()) {
            lost.add("FairScheduler has no <resource-weights>");
        }
        if (rules.usageHalfLifeMillis() > 0) {
            lost.add("FairScheduler has no <usage-half-life>");
        }
        if (rules.memoryOnly()) {
            lost.add("under FairScheduler containers also take up vcores and other resources: it has no <memory-only>");
        }
        if (rules.minimumOffer().mode() != MinimumOffer.Mode.OFF) {
            lost.add("FairScheduler has no <minimum-offer>");
        }
        NewQueues newQueues = rules.newQueues();
        if (newQueues != null) {
            QueueSpec template = newQueues.template();
            String order = template.order();
            String nearest = order.equals(FairFileReader.FIFO) ? FairFileReader.DRF : known(order);
            xml.value("defaultQueueSchedulingPolicy", NONE, policy("new queues", order, nearest));
            amounts("queueMaxResourcesDefault", template.maxResources());
            count("queueMaxAppsDefault", template.maxRunningApps());
            xml.value("queueMaxAMShareDefault", NONE, amShare(template.maxAmShare()));
        }
        count("userMaxAppsDefault", rules.maxRunningAppsPerUser());
        new TreeMap<>(rules.maxRunningAppsOfUser()).forEach((user, most) -> {
            xml.open("user", Map.of("name", user));
            count("maxRunningApps", most);
            xml.close("user");
        });
        reservations(spec);
        queue(spec.root(), null);
        xml.open("queuePlacementPolicy", NONE);
        boolean hasDefault =
                spec.root().children().stream().anyMatch(queue -> queue.name().equals("default"));
        for (PlacementStep step : spec.placement()) {
            rule(step, false);
            // FairScheduler's rule passes over the name "default", which YARN sets where none is given.
            if (hasDefault && step.kind() == PlacementStep.Kind.SPECIFIED && step.missing() == Missing.REFUSE) {
                rule(DEFAULT_QUEUE, false);
            }
        }
        xml.close("queuePlacementPolicy");
        xml.close(FairFileReader.ROOT_ELEMENT);
        lost.add("these settings belong in yarn-site.xml: assignmultiple, locality thresholds, increments, preemption");
    }

    /** The classes that work on reservations are the same for all queues. */
    private void reservations(SchedulerSpec spec) {
        spec.root()
                .all()
                .map(QueueSpec::plan)
                .filter(Objects::nonNull)
                .findFirst()
                .ifPresent(plan -> {
                    sharedPlan = Plan.DEFAULT.by(plan.agent(), plan.planner(), plan.admission());
                    xml.value("reservation-agent", NONE, plan.agent());
                    xml.value("reservation-planner", NONE, plan.planner());
                    xml.value("reservation-policy", NONE, plan.admission());
                });
    }

    private void count(String name, int most) {
        if (most != Integer.MAX_VALUE) {
            xml.value(name, NONE, String.valueOf(most));
        }
    }

    private static String known(String order) {
        return POLICIES.contains(order) ? order : FairFileReader.DRF;
    }

    /** The policy nearest to a queue's order: FairScheduler has fifo in leaf queues only, and no drf below fair. */
    private static String policy(QueueSpec queue) {
        String order = known(queue.order());
        if (queue.isLeaf() || order.equals(FairFileReader.DRF)) {
            return order;
        }
        boolean below =
                queue.children().stream().anyMatch(child -> policy(child).equals(FairFileReader.DRF));
        return below || order.equals(FairFileReader.FIFO) ? FairFileReader.DRF : order;
    }

    private String policy(String whose, String order, String policy) {
        if (!policy.equals(order)) {
            lost.add("the share order " + order + " of " + whose
                    + " is not possible there in FairScheduler; it is replaced by " + policy);
        }
        return policy;
    }

    private void queue(QueueSpec queue, @Nullable QueueSpec above) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("name", queue.name());
        attributes.put(
                "type", queue.parent() && !queue.isPlan() && queue.children().isEmpty() ? "parent" : "");
        xml.open("queue", attributes);
        if (queue.weights().base() != 1) {
            xml.value(
                    QueueSettings.WEIGHT.fair(),
                    NONE,
                    Words.plain(queue.weights().base()));
        }
        lost(queue);
        xml.value(QueueSettings.ORDER.fair(), NONE, policy(queue.path(), queue.order(), policy(queue)));
        amounts(queue, QueueSettings.GUARANTEED_RESOURCES);
        amounts(queue, QueueSettings.MAX_RESOURCES);
        amounts(queue, QueueSettings.MAX_CHILD_RESOURCES);
        amounts(queue, QueueSettings.MAX_CONTAINER);
        count(QueueSettings.MAX_RUNNING_APPS.fair(), queue.maxRunningApps());
        if (queue.isLeaf()) {
            xml.value(QueueSettings.MAX_AM_SHARE.fair(), NONE, amShare(queue.maxAmShare()));
        }
        Plan plan = queue.plan();
        if (plan != null) {
            xml.empty(QueueSettings.PLAN.fair(), NONE);
            access("aclSubmitReservations", plan.access().submit());
            access("aclListReservations", plan.access().list());
            access("aclAdministerReservations", plan.access().administer());
            cannot(queue, !plan.equals(sharedPlan.open(plan.access())), "settings for reservations by queue");
        }
        seconds(queue, above, QueueSettings.GUARANTEE_PREEMPTION_TIMEOUT);
        seconds(queue, above, QueueSettings.FAIR_SHARE_PREEMPTION_TIMEOUT);
        double threshold = queue.get(QueueSettings.FAIR_SHARE_PREEMPTION_THRESHOLD);
        if (isOwn(queue, above, QueueSettings.FAIR_SHARE_PREEMPTION_THRESHOLD)) {
            xml.value(QueueSettings.FAIR_SHARE_PREEMPTION_THRESHOLD.fair(), NONE, Words.plain(threshold));
        }
        if (queue.get(QueueSettings.FAIR_SHARE_PREEMPTION_TARGET) > threshold) {
            lost.add("FairScheduler has no <fair-share-preemption-target>: it preempts up to the threshold only");
        }
        if (!queue.get(QueueSettings.ALLOW_PREEMPTION_FROM)) {
            xml.value(QueueSettings.ALLOW_PREEMPTION_FROM.fair(), NONE, "false");
        }
        access(QueueSettings.SUBMIT.fair(), queue.submit());
        access(QueueSettings.ADMINISTER.fair(), queue.administer());
        queue.children().forEach(child -> queue(child, queue));
        xml.close("queue");
    }

    /** Lists the settings that FairScheduler does not have. */
    private void lost(QueueSpec queue) {
        cannot(queue, !queue.weights().byResource().isEmpty(), "weights by resource");
        cannot(queue, !queue.userWeights().isEmpty(), "weights of users");
        cannot(queue, !queue.lifetime().equals(Lifetime.FOR_EVER), "lifetimes of applications");
        cannot(queue, !queue.partitions().equals(Partitions.ALL), "node labels");
        cannot(queue, !queue.get(QueueSettings.PRIORITIES).isEmpty(), "<max-application-priority>");
        QueueSettings.ALL.stream()
                .filter(setting -> setting.fair().isEmpty() && !NAMED_OTHERWISE.contains(setting))
                .forEach(setting -> cannot(queue, queue.values().containsKey(setting), "<" + setting.name() + ">"));
        cannot(
                queue,
                queue.isLeaf() && queue.get(QueueSettings.DIVIDE_BY) == QueueSpec.Division.USERS,
                "shares of users; its applications share instead");
    }

    private void cannot(QueueSpec queue, boolean isSet, String what) {
        if (isSet) {
            lost.add(queue.path() + ": " + what + ": not available in FairScheduler");
        }
    }

    private static boolean isOwn(QueueSpec queue, @Nullable QueueSpec above, QueueSetting<?> setting) {
        return above == null || !queue.get(setting).equals(above.get(setting));
    }

    private void seconds(QueueSpec queue, @Nullable QueueSpec above, QueueSetting<Long> setting) {
        if (isOwn(queue, above, setting)) {
            long millis = queue.get(setting);
            long seconds = millis == QueuePreemptionSettings.NEVER ? Long.MAX_VALUE / 1000 : (millis + 999) / 1000;
            xml.value(setting.fair(), NONE, String.valueOf(seconds));
        }
    }

    private void access(String name, AccessList list) {
        String named =
                String.join(",", new TreeSet<>(list.users())) + " " + String.join(",", new TreeSet<>(list.groups()));
        xml.value(name, NONE, list.everyone() ? "*" : named);
    }

    private void amounts(QueueSpec queue, QueueSetting<Amounts> setting) {
        amounts(setting.fair(), queue.get(setting));
    }

    private void amounts(String name, Amounts amounts) {
        if (amounts.isUnlimited()) {
            return;
        }
        if (!amounts.absolute().isEmpty() && !amounts.fraction().isEmpty()) {
            lost.add("<" + name + ">: FairScheduler takes amounts or percentages, not both; the amounts are kept");
        }
        Stream<String> parts = amounts.fraction().entrySet().stream()
                .map(part -> part.getKey() + "=" + Words.percentage(part.getValue()));
        Stream<String> units =
                amounts.absolute().entrySet().stream().map(unit -> unit.getKey() + "=" + unit.getValue());
        Stream<String> written = amounts.absolute().isEmpty() ? parts : units;
        xml.value(name, NONE, written.collect(Collectors.joining(", ")));
    }

    private static boolean isKnownToFairScheduler(PlacementStep step) {
        PlacementStep under = step.under();
        return step.condition().isAny() && !step.hasVariables() && (under == null || isKnownToFairScheduler(under));
    }

    private void rule(PlacementStep step, boolean inside) {
        if (!isKnownToFairScheduler(step)) {
            lost.add("FairScheduler has no placement step with conditions or variables: one that leads to queue "
                    + (step.queue().isEmpty() ? "of another name" : step.queue()) + " is left out");
            return;
        }
        String name = switch (step.kind()) {
            case SPECIFIED -> "specified";
            case USER -> step.under() == null ? "user" : "nestedUserQueue";
            case PRIMARY_GROUP -> "primaryGroup";
            case SECONDARY_GROUP -> "secondaryGroupExistingQueue";
            case FIXED -> "default";
            case REJECT -> "reject";
        };
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("name", inside && name.equals("nestedUserQueue") ? "user" : name);
        attributes.put("queue", step.queue());
        boolean mayCreate = step.missing() == Missing.CREATE || step.kind() == PlacementStep.Kind.FIXED;
        boolean asked = step.kind() != PlacementStep.Kind.REJECT && step.kind() != PlacementStep.Kind.SECONDARY_GROUP;
        attributes.put("create", asked && !(mayCreate && step.missing() != Missing.PASS) ? "false" : "");
        if (step.missing() == Missing.REFUSE && step.kind() == PlacementStep.Kind.SPECIFIED) {
            lost.add(
                    "<specified/>: a name that does not exist is not refused but passed over, to queue default if there is"
                            + " one");
        }
        PlacementStep under = step.under();
        String queueAbove = step.parent();
        // The queue above is one of the file. FairScheduler demands of a last rule that the one inside may create it,
        // too.
        PlacementStep above = under;
        if (under == null && !queueAbove.equals(ConfigSchema.ROOT_QUEUE)) {
            above = new PlacementStep(
                    PlacementStep.Kind.FIXED, ConfigSchema.ROOT_QUEUE, queueAbove, Missing.CREATE, null);
        }
        if (above == null) {
            xml.empty("rule", attributes);
        } else {
            attributes.put("name", step.kind() == PlacementStep.Kind.USER ? "nestedUserQueue" : name);
            xml.open("rule", attributes);
            rule(above, true);
            xml.close("rule");
        }
    }

    private static String amShare(double part) {
        return Double.isInfinite(part) ? "-1.0" : Words.plain(part);
    }
}
