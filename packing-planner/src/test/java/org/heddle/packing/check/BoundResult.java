// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

/**
 * What the checker found out about the lower bound that a plan claims.
 *
 * @param reason one clause: the proof, the shorter plan that refutes the bound, or why there is neither
 */
public record BoundResult(Verdict verdict, String reason) {
    /** Whether a lower bound holds. */
    public enum Verdict {
        /** No plan of this kind is shorter than the bound. */
        PROVEN,
        /** There is a plan of this kind that is shorter than the bound. */
        REFUTED,
        /** The checker could prove or refute the bound, but not in its time. */
        NOT_CONFIRMED,
        /** The plan has no certificate that proves the bound, and the problem cannot be solved by the checker. */
        NO_CERTIFICATE
    }

    static BoundResult proven(String reason) {
        return new BoundResult(Verdict.PROVEN, reason);
    }

    static BoundResult refuted(String reason) {
        return new BoundResult(Verdict.REFUTED, reason);
    }

    static BoundResult notConfirmed(String reason) {
        return new BoundResult(Verdict.NOT_CONFIRMED, reason);
    }

    static BoundResult noCertificate(String reason) {
        return new BoundResult(Verdict.NO_CERTIFICATE, reason);
    }
}
