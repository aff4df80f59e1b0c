// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.heddle.scheduler.model.Amounts;
import org.heddle.scheduler.model.PreemptionSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.policy.DrfOrder;

/** Settings of FairScheduler's file that have another effect under our scheduler; see {@code docs/moving-in.md}. */
final class FairDifferences {
    private static final Set<String> RESOURCES = Set.of("memory-mb", "vcores");

    private FairDifferences() {}

    static List<String> of(SchedulerSpec spec) {
        List<String> all = new ArrayList<>();
        List<String> partial = spec.root()
                .all()
                .filter(queue -> isPartial(queue.maxResources()))
                .map(QueueSpec::path)
                .toList();
        if (!partial.isEmpty()) {
            all.add("maxResources of " + some(partial) + " names only some resources: here the others are not limited,"
                    + " as FairScheduler's documentation says; FairScheduler itself then allows none of them");
        }
        if (spec.root()
                .all()
                .anyMatch(queue ->
                        queue.order().equals(DrfOrder.NAME) && !queue.children().isEmpty())) {
            all.add("policy drf in a queue with queues inside is hierarchical DRF here: each queue is due the same, and"
                    + " none is starved where FairScheduler's can be");
        }
        if (spec.preemption().mode() != PreemptionSettings.Mode.OFF) {
            all.add("preemption helps the same queues after the same time, but chooses the containers itself; a queue"
                    + " below its minResources is brought up to them, and not beyond as FairScheduler may");
        }
        if (spec.rules().allocation().isImmediate()) {
            all.add(
                    "continuous scheduling has no thread of its own here: a container is allocated as soon as it is requested");
        }
        List<String> plans = spec.root()
                .all()
                .filter(queue -> queue.isPlan())
                .map(QueueSpec::path)
                .toList();
        if (!plans.isEmpty()) {
            all.add("reservations in " + some(plans)
                    + " promise a part by weight of all resources, not of memory alone");
        }
        all.add("the exit status of a container that an administrator kills is preempted (-102), not killed (-106)");
        return all;
    }

    private static boolean isPartial(Amounts amounts) {
        return !amounts.isUnlimited()
                && RESOURCES.stream()
                        .anyMatch(resource -> !amounts.absolute().containsKey(resource)
                                && !amounts.fraction().containsKey(resource));
    }

    private static String some(List<String> paths) {
        return String.join(", ", paths.subList(0, Math.min(5, paths.size())))
                + (paths.size() > 5 ? " and " + (paths.size() - 5) + " more" : "");
    }
}
