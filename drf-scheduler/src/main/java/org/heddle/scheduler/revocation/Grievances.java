// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.revocation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.heddle.scheduler.engine.Claim;
import org.heddle.scheduler.model.Protection;
import org.heddle.scheduler.revocation.Grievance.Kind;

/**
 * Watches all claims for those that are below their guarantee or their share, and for how long. A claim that once was
 * below the threshold of its share is watched until it has as much as it is to be helped to, so that help does not stop
 * half way.
 */
public final class Grievances {
    private final Map<Claim, Long> belowGuarantee = new HashMap<>();
    private final Map<Claim, Long> belowShare = new HashMap<>();

    /**
     * Looks at everybody, and says who has waited for too long: guarantees first, then the poorest.
     *
     * @param root of the engine's claims, up to date
     * @param protection what holds for a claim
     */
    public List<Grievance> due(Claim root, Function<Claim, Protection> protection, long nowMillis) {
        List<Grievance> due = new ArrayList<>();
        Map<Claim, Long> guarantees = Map.copyOf(belowGuarantee);
        Map<Claim, Long> shares = Map.copyOf(belowShare);
        belowGuarantee.clear();
        belowShare.clear();
        look(root, new Look(guarantees, shares, protection, nowMillis, due));
        due.sort(Comparator.comparing(Grievance::kind)
                .thenComparingDouble(grievance -> grievance.claim().standing())
                .thenComparingLong(grievance -> grievance.claim().sequence()));
        return due;
    }

    private record Look(
            Map<Claim, Long> guarantees,
            Map<Claim, Long> shares,
            Function<Claim, Protection> protection,
            long now,
            List<Grievance> due) {}

    private void look(Claim parent, Look look) {
        for (Claim child : parent.children()) {
            if (parent.entitlesChildren() && child.mayHoldMore()) {
                Protection protection = look.protection.apply(child);
                if (child.guaranteeHeld() < 1) {
                    long since = look.guarantees.getOrDefault(child, look.now);
                    belowGuarantee.put(child, since);
                    report(child, Kind.BELOW_GUARANTEE, since, protection.belowGuaranteeMillis(), look);
                }
                Long since = look.shares.get(child);
                if (child.standing() < (since == null ? protection.threshold() : protection.upTo())) {
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

    private static void report(Claim claim, Kind kind, long since, long patience, Look look) {
        if (patience != Protection.NEVER && look.now - since >= patience) {
            look.due.add(new Grievance(
                    claim, kind, since, look.protection.apply(claim).upTo()));
        }
    }
}
