// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

/** The state as pages and reports may see it; valid within the turn that shows it. */
public final class StateView {
    private final State state;
    private final Messages messages;
    private final Limits limits;
    private final long now;
    private final Tally tally;
    private final long startedAt;
    private final long errors;
    private final ShareHistory history;

    StateView(
            State state,
            Messages messages,
            Limits limits,
            long now,
            Tally tally,
            long startedAt,
            long errors,
            ShareHistory history) {
        this.state = state;
        this.messages = messages;
        this.limits = limits;
        this.now = now;
        this.tally = tally;
        this.startedAt = startedAt;
        this.errors = errors;
        this.history = history;
    }

    State state() {
        return state;
    }

    Messages messages() {
        return messages;
    }

    Limits limits() {
        return limits;
    }

    long now() {
        return now;
    }

    long startedAt() {
        return startedAt;
    }

    long errors() {
        return errors;
    }

    ShareHistory history() {
        return history;
    }

    Tally tally() {
        return tally;
    }
}
