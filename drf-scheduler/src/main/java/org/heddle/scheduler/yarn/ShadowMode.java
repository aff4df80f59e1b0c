// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import java.util.Map;
import org.heddle.scheduler.model.ClusterRules;
import org.heddle.scheduler.model.PreemptionSettings;
import org.heddle.scheduler.model.QueueSetting;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.SchedulerSpec;

/**
 * What is in force while a specification is only tried: shares, orders, access and placement as configured, no limits,
 * and preemption in dry run. The largest container of a queue stays, because it decides what may be submitted at all.
 */
public final class ShadowMode {
    private ShadowMode() {}

    public static SchedulerSpec of(SchedulerSpec spec) {
        PreemptionSettings preemption = spec.preemption();
        return new SchedulerSpec(
                withoutLimits(spec.root()),
                spec.resourceWeights(),
                spec.placement(),
                spec.schedulingDelays(),
                preemption.mode() == PreemptionSettings.Mode.ON ? preemption.dryRun() : preemption,
                withoutLimits(spec.rules()),
                spec.maxAssign());
    }

    private static QueueSpec withoutLimits(QueueSpec queue) {
        QueueSpec tried = queue.withChildren(
                queue.children().stream().map(ShadowMode::withoutLimits).toList());
        for (QueueSetting<?> setting : QueueSettings.ALL) {
            tried = inShadow(setting, tried);
        }
        return tried;
    }

    private static <T> QueueSpec inShadow(QueueSetting<T> setting, QueueSpec queue) {
        return queue.with(setting, setting.inShadow(queue.get(setting)));
    }

    private static ClusterRules withoutLimits(ClusterRules rules) {
        return new ClusterRules(
                rules.compatibility(),
                rules.newQueues(),
                Map.of(),
                Integer.MAX_VALUE,
                rules.memoryOnly(),
                rules.dynamicMaxAssign(),
                rules.increments(),
                rules.weighBySize(),
                rules.minimumOffer(),
                rules.allocation(),
                rules.usageHalfLifeMillis());
    }
}
