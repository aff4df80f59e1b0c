// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.agent;

/**
 * The rate to set and why.
 *
 * @param rate credits for a slot and rate unit; does not count with {@link Then#RESTORE}
 * @param reason one sentence for the user
 */
public record RateDecision(double rate, String reason, Then then) {
    /** What happens after a decision. */
    public enum Then {
        /** The agent goes on. */
        CONTINUE,
        /** The agent ends and sets the rate that the account had before. */
        RESTORE,
        /** The agent ends and sets the rate to 0. */
        STOP_PAYING
    }

    static RateDecision set(double rate, String reason) {
        return new RateDecision(rate, reason, Then.CONTINUE);
    }

    static RateDecision restore(String reason) {
        return new RateDecision(0, reason, Then.RESTORE);
    }

    static RateDecision stop(String reason) {
        return new RateDecision(0, reason, Then.STOP_PAYING);
    }
}
