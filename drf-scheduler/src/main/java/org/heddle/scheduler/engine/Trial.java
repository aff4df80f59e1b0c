// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import java.util.HashMap;
import java.util.Map;

/**
 * What-if on the engine's own books: hold or release, look at the standings, and put everything back bit by bit. The
 * engine must not be used otherwise in between.
 */
public final class Trial {
    private final SchedulableTree tree;
    private final Map<Schedulable, Saved> saved = new HashMap<>();
    private final boolean stale;

    Trial(SchedulableTree tree) {
        this.tree = tree;
        this.stale = tree.stale;
        tree.trial = this;
    }

    /** As if the application held a container more. */
    public void hold(Schedulable application, long[] amount) {
        change(application, amount, 1);
    }

    /** As if a container of the application had ended. */
    public void release(Schedulable application, long[] amount) {
        change(application, amount, -1);
    }

    private void change(Schedulable application, long[] amount, int sign) {
        for (Schedulable claim = application; claim != null; claim = claim.parent) {
            save(claim);
        }
        tree.hold(application, amount, sign, sign);
        tree.settle(application);
    }

    /** Keeps a claim's state before its first change. */
    void save(Schedulable claim) {
        saved.computeIfAbsent(claim, Saved::new);
    }

    /** Puts everything back. */
    public void revert() {
        saved.forEach((claim, state) -> state.restore(claim));
        for (Schedulable claim : saved.keySet()) {
            for (int k = 0; k < claim.slots && !claim.isLeaf(); k++) {
                claim.heap[k].rebuild(); // several children may be out of place, which moving one by one cannot mend
            }
        }
        saved.clear();
        tree.stale = stale;
        tree.trial = null;
    }

    private record Saved(
            long[] usage,
            long running,
            double standing,
            long tier,
            double key,
            double[] reckoned,
            double[] contribution,
            boolean scales,
            boolean atLimit,
            double[] scaledSum,
            double[] fixedSum,
            double sortedBy,
            double nextBelow,
            double nextAbove) {
        Saved(Schedulable claim) {
            this(
                    claim.usage.clone(),
                    claim.running,
                    claim.standing,
                    claim.tier,
                    claim.key,
                    claim.reckoned.clone(),
                    claim.contribution.clone(),
                    claim.scales,
                    claim.atLimit,
                    claim.scaledSum.clone(),
                    claim.fixedSum.clone(),
                    claim.sortedBy,
                    claim.nextBelow,
                    claim.nextAbove);
        }

        void restore(Schedulable claim) {
            System.arraycopy(usage, 0, claim.usage, 0, usage.length);
            claim.running = running;
            claim.standing = standing;
            claim.tier = tier;
            claim.key = key;
            System.arraycopy(reckoned, 0, claim.reckoned, 0, usage.length);
            System.arraycopy(contribution, 0, claim.contribution, 0, usage.length);
            claim.scales = scales;
            claim.atLimit = atLimit;
            System.arraycopy(scaledSum, 0, claim.scaledSum, 0, usage.length);
            System.arraycopy(fixedSum, 0, claim.fixedSum, 0, usage.length);
            claim.sortedBy = sortedBy;
            claim.nextBelow = nextBelow;
            claim.nextAbove = nextAbove;
        }
    }
}
