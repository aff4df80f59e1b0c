// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import java.util.HashMap;
import java.util.Map;

/**
 * What-if on the engine's own books: hold or release, look at the standings, and put everything back bit by bit. The
 * engine must not be used otherwise in between.
 */
public final class Trial {
    private final ClaimTree tree;
    private final Map<Claim, Saved> saved = new HashMap<>();
    private final boolean stale;

    Trial(ClaimTree tree) {
        this.tree = tree;
        this.stale = tree.stale;
    }

    /** As if the application held a container more. */
    public void hold(Claim application, long[] amount) {
        change(application, amount, 1);
    }

    /** As if a container of the application had ended. */
    public void release(Claim application, long[] amount) {
        change(application, amount, -1);
    }

    private void change(Claim application, long[] amount, int sign) {
        for (Claim claim = application; claim != null; claim = claim.parent) {
            saved.computeIfAbsent(claim, Saved::new);
        }
        tree.hold(application, amount, sign, sign);
        tree.settle(application);
    }

    /** Puts everything back. */
    public void revert() {
        saved.forEach((claim, state) -> state.restore(claim));
        for (Claim claim : saved.keySet()) {
            for (int k = 0; k < claim.slots && claim.parent != null; k++) {
                if (claim.position[k] >= 0) {
                    ClaimTree.heapOf(claim.parent, claim.shape[k]).moved(claim.position[k]);
                }
            }
        }
        saved.clear();
        tree.stale = stale;
    }

    private record Saved(
            long[] usage,
            long running,
            double standing,
            double key,
            double[] reckoned,
            double[] contribution,
            boolean scales,
            double[] scaledSum,
            double[] fixedSum) {
        Saved(Claim claim) {
            this(
                    claim.usage.clone(),
                    claim.running,
                    claim.standing,
                    claim.key,
                    claim.reckoned.clone(),
                    claim.contribution.clone(),
                    claim.scales,
                    claim.scaledSum.clone(),
                    claim.fixedSum.clone());
        }

        void restore(Claim claim) {
            System.arraycopy(usage, 0, claim.usage, 0, usage.length);
            claim.running = running;
            claim.standing = standing;
            claim.key = key;
            System.arraycopy(reckoned, 0, claim.reckoned, 0, usage.length);
            System.arraycopy(contribution, 0, claim.contribution, 0, usage.length);
            claim.scales = scales;
            System.arraycopy(scaledSum, 0, claim.scaledSum, 0, usage.length);
            System.arraycopy(fixedSum, 0, claim.fixedSum, 0, usage.length);
        }
    }
}
