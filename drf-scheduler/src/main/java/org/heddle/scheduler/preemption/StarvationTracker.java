// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.preemption;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.model.QueuePreemptionSettings;
import org.heddle.scheduler.preemption.Starvation.Kind;

/**
 * Tracks which queues, users and applications are below their guarantee or share, and since when. After a share was
 * below the threshold, it is tracked until it reaches the share that preemption is to restore, so that preemption does
 * not stop half way.
 */
public final class StarvationTracker {
    private final Map<Schedulable, Long> belowGuarantee = new HashMap<>();
    private final Map<Schedulable, Long> belowShare = new HashMap<>();

    /**
     * Schedulables that have starved for too long: guarantees first, then the smallest share.
     *
     * @param root the engine's root, up to date
     * @param protection the settings of a queue, user or application
     */
    public List<Starvation> due(
            Schedulable root, Function<Schedulable, QueuePreemptionSettings> protection, long nowMillis) {
        List<Starvation> due = new ArrayList<>();
        Map<Schedulable, Long> guarantees = Map.copyOf(belowGuarantee);
        Map<Schedulable, Long> shares = Map.copyOf(belowShare);
        belowGuarantee.clear();
        belowShare.clear();
        look(root, new Look(guarantees, shares, protection, nowMillis, due));
        due.sort(Comparator.comparing(Starvation::kind)
                .thenComparingDouble(starvation -> starvation.schedulable().normalizedShare())
                .thenComparingLong(starvation -> starvation.schedulable().sequence()));
        return due;
    }

    private record Look(
            Map<Schedulable, Long> guarantees,
            Map<Schedulable, Long> shares,
            Function<Schedulable, QueuePreemptionSettings> protection,
            long now,
            List<Starvation> due) {}

    private void look(Schedulable parent, Look look) {
        for (Schedulable child : parent.children()) {
            if (parent.entitlesChildren() && child.mayHoldMore()) {
                QueuePreemptionSettings protection = look.protection.apply(child);
                if (child.guaranteeHeld() < 1) {
                    long since = look.guarantees.getOrDefault(child, look.now);
                    belowGuarantee.put(child, since);
                    report(child, Kind.BELOW_GUARANTEE, since, protection.belowGuaranteeMillis(), look);
                }
                Long since = look.shares.get(child);
                if (child.normalizedShare() < (since == null ? protection.threshold() : protection.upTo())) {
                    belowShare.put(child, since == null ? look.now : since);
                    report(
                            child,
                            Kind.BELOW_SHARE,
                            since == null ? look.now : since,
                            protection.belowShareMillis(),
                            look);
                }
            }
            look(child, look);
        }
    }

    private static void report(Schedulable schedulable, Kind kind, long since, long patience, Look look) {
        if (patience != QueuePreemptionSettings.NEVER && look.now - since >= patience) {
            look.due.add(new Starvation(
                    schedulable, kind, since, look.protection.apply(schedulable).upTo()));
        }
    }
}
