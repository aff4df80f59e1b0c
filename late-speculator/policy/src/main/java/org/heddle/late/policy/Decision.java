// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import org.jspecify.annotations.Nullable;

/** A decision about one task, with its reason and the numbers behind it. Immutable. */
public final class Decision {

    /** What the caller shall do. */
    public enum Action {
        LAUNCH,
        HOLD,
        KILL,
        KEEP
    }

    private final String task;
    private final @Nullable String attempt;
    private final @Nullable String node;
    private final Reason reason;
    private final double score;
    private final double remainingMillis;
    private final double freshMillis;

    Decision(
            String task,
            @Nullable String attempt,
            @Nullable String node,
            Reason reason,
            double score,
            double remainingMillis,
            double freshMillis) {
        this.task = task;
        this.attempt = attempt;
        this.node = node;
        this.reason = reason;
        this.score = score;
        this.remainingMillis = remainingMillis;
        this.freshMillis = freshMillis;
    }

    static Decision of(AttemptRecord attempt, Reason reason, double remainingMillis, double freshMillis) {
        return new Decision(
                attempt.task().id(),
                attempt.id(),
                attempt.node(),
                reason,
                attempt.score(),
                remainingMillis,
                freshMillis);
    }

    Decision withReason(Reason other) {
        return new Decision(task, attempt, node, other, score, remainingMillis, freshMillis);
    }

    public String task() {
        return task;
    }

    /** The attempt in question: the oldest live attempt of the task, or the backup that was placed. */
    public @Nullable String attempt() {
        return attempt;
    }

    /** Where {@link #attempt()} runs. */
    public @Nullable String node() {
        return node;
    }

    public Reason reason() {
        return reason;
    }

    public Action action() {
        return reason.action();
    }

    /** Progress score in [0, 1] as last reported. */
    public double score() {
        return score;
    }

    /** Estimated milliseconds until the task ends without a further backup; NaN where it was not needed. */
    public double remainingMillis() {
        return remainingMillis;
    }

    /** Estimated milliseconds of a fresh backup; NaN where it was not needed. */
    public double freshMillis() {
        return freshMillis;
    }

    @Override
    public String toString() {
        return action() + " " + task + " (" + reason + ", remaining " + Math.round(remainingMillis) + " ms, fresh "
                + Math.round(freshMillis) + " ms)";
    }
}
