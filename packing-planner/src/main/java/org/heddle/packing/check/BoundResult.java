// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

/**
 * What the checker could find out about the lower bound that a plan claims.
 *
 * @param reason one clause: the proof, the shorter plan that refutes the bound, or why neither was found
 */
public record BoundResult(Verdict verdict, String reason) {
    /** Whether a lower bound holds. */
    public enum Verdict {
        /** No plan of this kind is shorter than the bound. */
        PROVEN,
        /** There is a plan of this kind that is shorter than the bound. */
        REFUTED,
        /** The checker found neither a proof nor a shorter plan in its time. */
        NOT_JUDGED
    }

    static BoundResult proven(String reason) {
        return new BoundResult(Verdict.PROVEN, reason);
    }

    static BoundResult refuted(String reason) {
        return new BoundResult(Verdict.REFUTED, reason);
    }

    static BoundResult notJudged(String reason) {
        return new BoundResult(Verdict.NOT_JUDGED, reason);
    }
}
