// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import java.util.HashMap;
import java.util.Map;

/**
 * Tries changes on the engine's own state: hold or release, read normalized shares, and restore the exact state. The
 * engine must not be used otherwise in between.
 */
public final class Trial {
    private final SchedulableTree tree;
    private final Map<Schedulable, Saved> saved = new HashMap<>();
    private final boolean stale;
    private final int staleParents;

    Trial(SchedulableTree tree) {
        this.tree = tree;
        this.stale = tree.stale;
        this.staleParents = tree.staleParents();
        tree.trial = this;
    }

    /** Adds a container to the application's usage. */
    public void hold(Schedulable application, long[] amount) {
        change(application, amount, 1);
    }

    /** Subtracts a container from the application's usage. */
    public void release(Schedulable application, long[] amount) {
        change(application, amount, -1);
    }

    private void change(Schedulable application, long[] amount, int sign) {
        for (Schedulable schedulable = application; schedulable != null; schedulable = schedulable.parent) {
            save(schedulable);
        }
        tree.hold(application, amount, sign, sign);
        tree.settle(application);
    }

    /** Saves the state before its first change. */
    void save(Schedulable schedulable) {
        saved.computeIfAbsent(schedulable, Saved::new);
    }

    /** Puts everything back. */
    public void revert() {
        saved.forEach((schedulable, state) -> state.restore(schedulable));
        for (Schedulable schedulable : saved.keySet()) {
            for (int k = 0; k < schedulable.slots && !schedulable.isLeaf(); k++) {
                schedulable.heap[k].rebuild(); // several keys may have changed at once
            }
        }
        saved.clear();
        tree.stale = stale;
        tree.keepStaleParents(staleParents);
        tree.trial = null;
    }

    private record Saved(
            long[] usage,
            long running,
            double normalizedShare,
            long tier,
            double key,
            double[] countedUsage,
            double[] contribution,
            boolean scales,
            boolean atLimit,
            double[] scaledSum,
            double[] fixedSum,
            double[] activeWeight,
            double sortedBy,
            double nextBelow,
            double nextAbove) {
        Saved(Schedulable schedulable) {
            this(
                    schedulable.usage.clone(),
                    schedulable.running,
                    schedulable.normalizedShare,
                    schedulable.tier,
                    schedulable.key,
                    schedulable.countedUsage.clone(),
                    schedulable.contribution.clone(),
                    schedulable.scales,
                    schedulable.atLimit,
                    schedulable.scaledSum.clone(),
                    schedulable.fixedSum.clone(),
                    schedulable.activeWeight.clone(),
                    schedulable.sortedBy,
                    schedulable.nextBelow,
                    schedulable.nextAbove);
        }

        void restore(Schedulable schedulable) {
            System.arraycopy(usage, 0, schedulable.usage, 0, usage.length);
            schedulable.running = running;
            schedulable.normalizedShare = normalizedShare;
            schedulable.tier = tier;
            schedulable.key = key;
            System.arraycopy(countedUsage, 0, schedulable.countedUsage, 0, usage.length);
            System.arraycopy(contribution, 0, schedulable.contribution, 0, usage.length);
            schedulable.scales = scales;
            schedulable.atLimit = atLimit;
            System.arraycopy(scaledSum, 0, schedulable.scaledSum, 0, usage.length);
            System.arraycopy(fixedSum, 0, schedulable.fixedSum, 0, usage.length);
            System.arraycopy(activeWeight, 0, schedulable.activeWeight, 0, activeWeight.length);
            schedulable.sortedBy = sortedBy;
            schedulable.nextBelow = nextBelow;
            schedulable.nextAbove = nextAbove;
        }
    }
}
