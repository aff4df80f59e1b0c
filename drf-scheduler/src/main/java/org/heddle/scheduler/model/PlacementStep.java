// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One step in finding an application's queue; the first step that finds a queue counts.
 *
 * @param kind how the step finds a name
 * @param parent path of the queue under which a user's or group's name is looked up; {@code root} by default
 * @param queue path of the queue that {@code FIXED} names, in which variables may stand; empty for other kinds
 * @param missing what happens if there is no such queue
 * @param under finds the queue under which a user's or group's name is looked up, in place of {@code parent}; null if
 *     none
 * @param condition the applications for which it is tried
 */
public record PlacementStep(
        Kind kind,
        String parent,
        String queue,
        Missing missing,
        @Nullable PlacementStep under,
        PlacementCondition condition) {
    /** Stands for the user in the path of a fixed queue. */
    public static final String USER_VARIABLE = "%user";
    /** The user's first group. */
    public static final String PRIMARY_GROUP_VARIABLE = "%primary_group";
    /** The first of the user's other groups of which there is a queue. */
    public static final String SECONDARY_GROUP_VARIABLE = "%secondary_group";
    /** The name of the application. */
    public static final String APPLICATION_VARIABLE = "%application";
    /** The queue named at submission. */
    public static final String SPECIFIED_VARIABLE = "%specified";
    /** All of them. */
    public static final List<String> VARIABLES = List.of(
            USER_VARIABLE, PRIMARY_GROUP_VARIABLE, SECONDARY_GROUP_VARIABLE, APPLICATION_VARIABLE, SPECIFIED_VARIABLE);

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

    /** A step for all applications. */
    public PlacementStep(Kind kind, String parent, String queue, Missing missing, @Nullable PlacementStep under) {
        this(kind, parent, queue, missing, under, PlacementCondition.ANY);
    }

    /** Whether the path of the fixed queue depends on the application. */
    public boolean hasVariables() {
        return queue.indexOf('%') >= 0;
    }

    /** A step with the default: a queue named at submission must exist, others may be missing. */
    public PlacementStep(Kind kind, String parent, String queue) {
        this(kind, parent, queue, kind == Kind.SPECIFIED || kind == Kind.FIXED ? Missing.REFUSE : Missing.PASS, null);
    }

    /** Whether it finds a queue for every application, so that no later step is tried. */
    public boolean answersAlways() {
        if (!condition.isAny()) {
            return false;
        }
        return switch (kind) {
            case REJECT -> true;
            case FIXED -> missing == Missing.REFUSE || (missing == Missing.CREATE && !hasVariables());
            case SPECIFIED, SECONDARY_GROUP -> false;
            case USER, PRIMARY_GROUP -> missing == Missing.CREATE && (under == null || under.answersAlways());
        };
    }
}
