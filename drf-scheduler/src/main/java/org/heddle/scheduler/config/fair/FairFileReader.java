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
import org.heddle.scheduler.model.ClusterRules;
import org.heddle.scheduler.model.MinimumOffer;
import org.heddle.scheduler.model.NewQueues;
import org.heddle.scheduler.model.PlacementStep;
import org.heddle.scheduler.model.Plan;
import org.heddle.scheduler.model.QueuePreemptionSettings;
import org.heddle.scheduler.model.QueueSetting;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.SchedulerSpec;

/**
 * Reads FairScheduler's {@code fair-scheduler.xml}, unchanged. What FairScheduler refuses is an error; what it ignores
 * is a warning; a setting without a counterpart here is a warning with the reason.
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

    private QueueSpec template = NewQueues.DEFAULTS
            .with(QueueSettings.ORDER, FAIR)
            .with(QueueSettings.DIVIDE_BY, QueueSpec.Division.APPLICATIONS);
    /** What root inherits. */
    private QueueSpec above = NewQueues.DEFAULTS
            .with(QueueSettings.GUARANTEE_PREEMPTION_TIMEOUT, QueuePreemptionSettings.NEVER)
            .with(QueueSettings.FAIR_SHARE_PREEMPTION_TIMEOUT, QueuePreemptionSettings.NEVER)
            .with(QueueSettings.FAIR_SHARE_PREEMPTION_THRESHOLD, 0.5);

    private Plan plan = Plan.DEFAULT;
    private int userMaxApps = Integer.MAX_VALUE;
    private final Map<String, Integer> maxAppsOfUser = new HashMap<>();
    private boolean belowFairIsDefault;

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
        FairQueueBuilder.Defaults defaults = new FairQueueBuilder.Defaults(template, plan);
        values.leaveOutForbidden(root, defaults);
        List<PlacementStep> steps;
        if (placement == null) {
            steps = FairPlacementReader.fromKeys(
                    site.is(FairKeys.ALLOW_UNDECLARED_POOLS), site.is(FairKeys.USER_AS_DEFAULT_QUEUE));
        } else {
            steps = new FairPlacementReader(problems).read(placement);
        }
        site.warnOfIdleKeys();
        return new SchedulerSpec(
                root.spec(defaults, above),
                Map.of(),
                steps,
                site.schedulingDelays(),
                site.preemption(),
                rules(defaults),
                site.maxAssign());
    }

    private ClusterRules rules(FairQueueBuilder.Defaults defaults) {
        return new ClusterRules(
                ClusterRules.Compatibility.FAIR_SCHEDULER,
                new NewQueues(defaults.template(), values.leftOut()),
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
            case "userMaxAppsDefault" -> userMaxApps = FairQueueReader.or(values.count(element), userMaxApps);
            case "queueMaxAppsDefault" -> template = changed(template, QueueSettings.MAX_RUNNING_APPS, element);
            case "queueMaxResourcesDefault" -> template = changed(template, QueueSettings.MAX_RESOURCES, element);
            case "queueMaxAMShareDefault" -> template = changed(template, QueueSettings.MAX_AM_SHARE, element);
            case "defaultFairSharePreemptionTimeout" -> {
                above = changed(above, QueueSettings.FAIR_SHARE_PREEMPTION_TIMEOUT, element);
                belowFairIsDefault = true;
            }
            case "fairSharePreemptionTimeout" -> {
                QueueSpec older = changed(above, QueueSettings.FAIR_SHARE_PREEMPTION_TIMEOUT, element);
                above = belowFairIsDefault ? above : older; // the older name counts only where the newer is not
            }
            case "defaultMinSharePreemptionTimeout" ->
                above = changed(above, QueueSettings.GUARANTEE_PREEMPTION_TIMEOUT, element);
            case "defaultFairSharePreemptionThreshold" ->
                above = changed(above, QueueSettings.FAIR_SHARE_PREEMPTION_THRESHOLD, element);
            case "defaultQueueSchedulingPolicy", "defaultQueueSchedulingMode" ->
                template = template.with(
                        QueueSettings.ORDER, FairQueueReader.or(values.policy(element, false), template.order()));
            case "reservation-agent" -> plan = plan.by(element.text(), plan.planner(), plan.admission());
            case "reservation-policy" -> plan = plan.by(plan.agent(), plan.planner(), element.text());
            case "reservation-planner" -> plan = plan.by(plan.agent(), element.text(), plan.admission());
            default -> problems.warn(element.line(), element.tag(), "", FairQueueReader.unknown(element, ELEMENTS));
        }
    }

    private <T> QueueSpec changed(QueueSpec queue, QueueSetting<T> setting, ConfigNode element) {
        return queue.with(setting, FairQueueReader.or(values.read(element, setting), queue.get(setting)));
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
