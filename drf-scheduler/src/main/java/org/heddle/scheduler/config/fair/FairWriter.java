// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.fair;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
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
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.QueueTraits;
import org.heddle.scheduler.model.SchedulerSpec;

/**
 * Prints a specification as FairScheduler's {@code fair-scheduler.xml}, and lists the settings that FairScheduler does not
 * have. It prints all settings of each queue, so that no defaults matter.
 */
public final class FairWriter {
    private static final Map<String, String> NONE = Map.of();
    private static final Set<String> POLICIES = Set.of(FairFileReader.FAIR, FairFileReader.FIFO, FairFileReader.DRF);

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
            String order = newQueues.order();
            String nearest = order.equals(FairFileReader.FIFO) ? FairFileReader.DRF : known(order);
            xml.value("defaultQueueSchedulingPolicy", NONE, policy("new queues", order, nearest));
            amounts("queueMaxResourcesDefault", newQueues.maxResources());
            count("queueMaxAppsDefault", newQueues.maxRunningApps());
            xml.value("queueMaxAMShareDefault", NONE, amShare(newQueues.maxAmShare()));
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
        spec.placement().forEach(step -> rule(step, false));
        xml.close("queuePlacementPolicy");
        xml.close(FairFileReader.ROOT_ELEMENT);
        lost.add("these settings belong in yarn-site.xml: assignmultiple, locality thresholds, increments, preemption");
    }

    /** The classes that work on reservations are the same for all queues. */
    private void reservations(SchedulerSpec spec) {
        spec.root()
                .all()
                .map(queue -> queue.traits().plan())
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

    private void queue(QueueSpec queue, @org.jspecify.annotations.Nullable QueuePreemptionSettings above) {
        QueueTraits traits = queue.traits();
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("name", queue.name());
        attributes.put(
                "type", traits.parent() && !traits.isPlan() && queue.children().isEmpty() ? "parent" : "");
        xml.open("queue", attributes);
        if (queue.weights().base() != 1) {
            xml.value("weight", NONE, plain(queue.weights().base()));
        }
        cannot(queue, !queue.weights().byResource().isEmpty(), "weights by resource");
        cannot(queue, !queue.userWeights().isEmpty(), "weights of users");
        cannot(queue, !queue.lifetime().equals(Lifetime.FOR_EVER), "lifetimes of applications");
        cannot(queue, !queue.partitions().equals(Partitions.ALL), "node labels");
        cannot(queue, !traits.priorities().isEmpty(), "<max-application-priority>");
        cannot(queue, traits.stopped(), "<state>");
        cannot(queue, traits.maxApplications() != Integer.MAX_VALUE, "<max-applications>");
        cannot(queue, traits.priority() != 0, "<priority>");
        cannot(queue, !queue.maxResourcesPerUser().isUnlimited(), "<max-resources-per-user>");
        cannot(queue, !queue.traits().maxApplication().isUnlimited(), "<max-resources-per-application>");
        cannot(queue, queue.maxRunningAppsPerUser() != Integer.MAX_VALUE, "<max-running-apps-per-user>");
        cannot(
                queue,
                queue.isLeaf() && traits.division() == QueueTraits.Division.USERS,
                "shares of users; its applications share instead");
        xml.value("schedulingPolicy", NONE, policy(queue.path(), queue.order(), policy(queue)));
        amounts("minResources", queue.protection().guaranteed());
        amounts("maxResources", queue.maxResources());
        amounts("maxChildResources", traits.maxNewQueue());
        amounts("maxContainerAllocation", traits.maxContainer());
        count("maxRunningApps", queue.maxRunningApps());
        if (queue.isLeaf()) {
            xml.value("maxAMShare", NONE, amShare(queue.maxAmShare()));
        }
        Plan plan = traits.plan();
        if (plan != null) {
            xml.empty("reservation", NONE);
            access("aclSubmitReservations", plan.access().submit());
            access("aclListReservations", plan.access().list());
            access("aclAdministerReservations", plan.access().administer());
            cannot(queue, !plan.equals(sharedPlan.open(plan.access())), "settings for reservations by queue");
        }
        protection(queue.protection(), above);
        access("aclSubmitApps", queue.submit());
        access("aclAdministerApps", queue.administer());
        queue.children().forEach(child -> queue(child, queue.protection()));
        xml.close("queue");
    }

    private void cannot(QueueSpec queue, boolean isSet, String what) {
        if (isSet) {
            lost.add(queue.path() + ": " + what + ": not available in FairScheduler");
        }
    }

    private void protection(
            QueuePreemptionSettings own, @org.jspecify.annotations.Nullable QueuePreemptionSettings above) {
        if (above == null || own.belowGuaranteeMillis() != above.belowGuaranteeMillis()) {
            seconds("minSharePreemptionTimeout", own.belowGuaranteeMillis());
        }
        if (above == null || own.belowShareMillis() != above.belowShareMillis()) {
            seconds("fairSharePreemptionTimeout", own.belowShareMillis());
        }
        if (above == null || own.threshold() != above.threshold()) {
            xml.value("fairSharePreemptionThreshold", NONE, plain(own.threshold()));
        }
        if (own.restored() > own.threshold()) {
            lost.add("FairScheduler has no <fair-share-preemption-target>: it preempts up to the threshold only");
        }
        if (!own.revocable()) {
            xml.value("allowPreemptionFrom", NONE, "false");
        }
    }

    private void seconds(String name, long millis) {
        long seconds = millis == QueuePreemptionSettings.NEVER ? Long.MAX_VALUE / 1000 : (millis + 999) / 1000;
        xml.value(name, NONE, String.valueOf(seconds));
    }

    private void access(String name, AccessList list) {
        String words = list.everyone()
                ? "*"
                : String.join(",", new TreeSet<>(list.users())) + " " + String.join(",", new TreeSet<>(list.groups()));
        xml.value(name, NONE, words);
    }

    private void amounts(String name, Amounts amounts) {
        if (amounts.isUnlimited()) {
            return;
        }
        if (!amounts.absolute().isEmpty() && !amounts.fraction().isEmpty()) {
            lost.add("<" + name + ">: FairScheduler takes amounts or percentages, not both; the amounts are kept");
        }
        String text = amounts.absolute().isEmpty()
                ? amounts.fraction().entrySet().stream()
                        .map(part -> part.getKey() + "=" + percent(part.getValue()))
                        .collect(Collectors.joining(", "))
                : amounts.absolute().entrySet().stream()
                        .map(units -> units.getKey() + "=" + units.getValue())
                        .collect(Collectors.joining(", "));
        xml.value(name, NONE, text);
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
            lost.add("<specified/>: a name that does not exist is not refused but passed over");
        }
        PlacementStep under = step.under();
        String queueAbove = step.parent();
        // The queue above is one of the file. FairScheduler demands of a last rule that the one inside may create it,
        // too.
        PlacementStep above = under == null && !queueAbove.equals(ConfigSchema.ROOT_QUEUE)
                ? new PlacementStep(PlacementStep.Kind.FIXED, ConfigSchema.ROOT_QUEUE, queueAbove, Missing.CREATE, null)
                : under;
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
        return Double.isInfinite(part) ? "-1.0" : plain(part);
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
