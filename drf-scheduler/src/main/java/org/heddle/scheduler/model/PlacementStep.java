// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

import org.jspecify.annotations.Nullable;

/**
 * One step in finding an application's queue; the first step that finds a queue counts.
 *
 * @param kind how the step finds a name
 * @param parent path of the queue under which a user's or group's name is looked up; {@code root} by default
 * @param queue path of the queue that {@code FIXED} names; empty for other kinds
 * @param missing what happens if there is no such queue
 * @param under finds the queue under which a user's or group's name is looked up, in place of {@code parent}; null if
 *     none
 */
public record PlacementStep(
        Kind kind,
        String parent,
        String queue,
        Missing missing,
        @Nullable PlacementStep under) {
    /** Ways to find a queue. */
    public enum Kind {
        /** The queue named at submission. */
        SPECIFIED,
        /** A queue named after the user. */
        USER,
        /** A queue named after the user's primary group. */
        PRIMARY_GROUP,
        /** A queue named after the first of the user's groups that has one. */
        SECONDARY_GROUP,
        /** Always the same queue. */
        FIXED,
        /** Refuse the application. */
        REJECT
    }

    /** What a step does if its queue does not exist. */
    public enum Missing {
        /** The application is refused. */
        REFUSE,
        /** The next step is tried. */
        PASS,
        /** The queue is created. */
        CREATE
    }

    /** A step with the default: a queue named at submission must exist, others may be missing. */
    public PlacementStep(Kind kind, String parent, String queue) {
        this(kind, parent, queue, kind == Kind.SPECIFIED || kind == Kind.FIXED ? Missing.REFUSE : Missing.PASS, null);
    }

    /** Whether it finds a queue for every application, so that no later step is tried. */
    public boolean answersAlways() {
        return switch (kind) {
            case REJECT -> true;
            case FIXED -> missing != Missing.PASS;
            case SPECIFIED, SECONDARY_GROUP -> false;
            case USER, PRIMARY_GROUP -> missing == Missing.CREATE && (under == null || under.answersAlways());
        };
    }
}
