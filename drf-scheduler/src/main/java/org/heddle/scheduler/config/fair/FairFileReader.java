// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.fair;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.scheduler.config.FairKeys;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.schema.ConfigSchema;
import org.heddle.scheduler.config.xml.ConfigNode;
import org.heddle.scheduler.config.xml.Problems;
import org.heddle.scheduler.model.Amounts;
import org.heddle.scheduler.model.ClusterRules;
import org.heddle.scheduler.model.MinimumOffer;
import org.heddle.scheduler.model.NewQueues;
import org.heddle.scheduler.model.PlacementStep;
import org.heddle.scheduler.model.Plan;
import org.heddle.scheduler.model.QueuePreemptionSettings;
import org.heddle.scheduler.model.QueueTraits;
import org.heddle.scheduler.model.SchedulerSpec;

/**
 * Reads FairScheduler's {@code fair-scheduler.xml}, unchanged. What FairScheduler refuses is an error; what it ignores is a
 * warning; a setting without a counterpart here is a warning with the reason.
 */
public final class FairFileReader {
    public static final String ROOT_ELEMENT = "allocations";
    static final String FAIR = "fair";
    static final String FIFO = "fifo";
    static final String DRF = "drf";

    /** Elements beside the queues, in the order of FairScheduler's documentation. */
    static final List<String> ELEMENTS = List.of(
            "queue",
            "pool",
            "user",
            "userMaxAppsDefault",
            "defaultFairSharePreemptionTimeout",
            "fairSharePreemptionTimeout",
            "defaultMinSharePreemptionTimeout",
            "defaultFairSharePreemptionThreshold",
            "queueMaxAppsDefault",
            "queueMaxResourcesDefault",
            "queueMaxAMShareDefault",
            "defaultQueueSchedulingPolicy",
            "defaultQueueSchedulingMode",
            "reservation-agent",
            "reservation-policy",
            "reservation-planner",
            "queuePlacementPolicy");

    private final KnownNames names;
    private final FairSiteReader site;
    private final Problems problems;
    private final FairQueueReader values;

    private String policy = FAIR;
    private Plan plan = Plan.DEFAULT;
    private Amounts maxResources = Amounts.UNLIMITED;
    private int maxApps = Integer.MAX_VALUE;
    private double maxAmShare = 0.5;
    private int userMaxApps = Integer.MAX_VALUE;
    private final Map<String, Integer> maxAppsOfUser = new HashMap<>();
    private long belowMin = QueuePreemptionSettings.NEVER;
    private long belowFair = QueuePreemptionSettings.NEVER;
    private boolean belowFairIsDefault;
    private double threshold = 0.5;

    public FairFileReader(KnownNames names, FairSiteReader site, Problems problems) {
        this.names = names;
        this.site = site;
        this.problems = problems;
        this.values = new FairQueueReader(new FairAmount(names.resources()), problems);
    }

    /** The specification of a file; {@link Problems} has its errors. */
    public SchedulerSpec read(ConfigNode file) {
        List<ConfigNode> queues = new ArrayList<>();
        ConfigNode placement = null;
        for (ConfigNode element : file.children()) {
            switch (element.name()) {
                case "queue", "pool" -> queues.add(element);
                case "queuePlacementPolicy" -> placement = element;
                case "user" -> readUser(element);
                default -> readDefault(element);
            }
        }
        FairQueueBuilder root = values.read(queues);
        FairQueueBuilder.Defaults defaults =
                new FairQueueBuilder.Defaults(policy, maxResources, maxApps, maxAmShare, plan);
        values.leaveOutForbidden(root, defaults);
        List<PlacementStep> steps = placement == null
                ? FairPlacementReader.fromKeys(
                        site.is(FairKeys.ALLOW_UNDECLARED_POOLS), site.is(FairKeys.USER_AS_DEFAULT_QUEUE))
                : new FairPlacementReader(problems).read(placement);
        site.warnOfIdleKeys();
        return new SchedulerSpec(
                root.spec(
                        defaults,
                        new QueuePreemptionSettings(
                                Amounts.UNLIMITED, true, belowMin, belowFair, threshold, threshold)),
                Map.of(),
                steps,
                site.schedulingDelays(),
                site.preemption(),
                rules(defaults),
                site.maxAssign());
    }

    private ClusterRules rules(FairQueueBuilder.Defaults defaults) {
        NewQueues newQueues = new NewQueues(
                defaults.policy(),
                ConfigSchema.USER_ORDER.fallback(),
                QueueTraits.Division.APPLICATIONS,
                defaults.maxResources(),
                defaults.maxApps(),
                defaults.maxAmShare(),
                values.leftOut());
        return new ClusterRules(
                ClusterRules.Compatibility.FAIR_SCHEDULER,
                newQueues,
                maxAppsOfUser,
                userMaxApps,
                false,
                site.dynamicMaxAssign(),
                site.increments(names),
                site.is(FairKeys.SIZE_BASED_WEIGHT),
                MinimumOffer.OFF,
                site.allocation(),
                ConfigSchema.USAGE_HALF_LIFE.fallback());
    }

    private void readDefault(ConfigNode element) {
        switch (element.name()) {
            case "userMaxAppsDefault" -> userMaxApps = or(values.count(element), userMaxApps);
            case "queueMaxAppsDefault" -> maxApps = or(values.count(element), maxApps);
            case "queueMaxResourcesDefault" -> maxResources = or(values.amount(element), maxResources);
            case "queueMaxAMShareDefault" -> maxAmShare = or(values.amShare(element), maxAmShare);
            case "defaultFairSharePreemptionTimeout" -> {
                belowFair = or(values.seconds(element), belowFair);
                belowFairIsDefault = true;
            }
            case "fairSharePreemptionTimeout" -> {
                long seconds = or(values.seconds(element), belowFair);
                belowFair =
                        belowFairIsDefault ? belowFair : seconds; // the older name counts only where the newer is not
            }
            case "defaultMinSharePreemptionTimeout" -> belowMin = or(values.seconds(element), belowMin);
            case "defaultFairSharePreemptionThreshold" -> threshold = or(values.threshold(element), threshold);
            case "defaultQueueSchedulingPolicy", "defaultQueueSchedulingMode" ->
                policy = or(values.policy(element, false), policy);
            case "reservation-agent" -> plan = plan.by(element.text(), plan.planner(), plan.admission());
            case "reservation-policy" -> plan = plan.by(plan.agent(), plan.planner(), element.text());
            case "reservation-planner" -> plan = plan.by(plan.agent(), element.text(), plan.admission());
            default -> problems.warn(element.line(), element.tag(), "", FairQueueReader.unknown(element, ELEMENTS));
        }
    }

    private static <T> T or(@org.jspecify.annotations.Nullable T read, T otherwise) {
        return read == null ? otherwise : read;
    }

    private void readUser(ConfigNode user) {
        String name = user.attributes().getOrDefault("name", "");
        if (name.isEmpty()) {
            problems.warn(user.line(), user.tag(), "", "has no effect without name=\"...\"");
        }
        for (ConfigNode field : user.children()) {
            if (field.name().equals("maxRunningApps")) {
                Integer apps = values.count(field);
                if (apps != null && !name.isEmpty()) {
                    maxAppsOfUser.put(name, apps);
                }
            } else {
                problems.warn(field.line(), field.tag(), "", FairQueueReader.unknown(field, List.of("maxRunningApps")));
            }
        }
    }
}
