// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.agent;

/**
 * Something that an agent did, for its log.
 *
 * @param atMillis time of the market; 0 if it was never reached
 * @param before the rate before
 * @param after the rate now
 * @param reason one sentence
 */
public record AgentEvent(long atMillis, Kind kind, double before, double after, String reason) {
    /** Kinds of events. */
    public enum Kind {
        /** A rate was set. */
        SET,
        /** A rate would have been set, in a dry run. */
        WOULD_SET,
        /** The market or the job cannot be reached, and the rate stays. */
        UNREACHABLE,
        /** The market and the job can be reached again. */
        REACHED_AGAIN,
        /** Somebody else set the rate; the agent sets its own. */
        OVERRULED,
        /** The agent ended and left this rate. */
        ENDED
    }
}
