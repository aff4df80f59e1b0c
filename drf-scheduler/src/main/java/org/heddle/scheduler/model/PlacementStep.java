// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

/**
 * One step in finding an application's queue; the first that answers with an existing leaf wins.
 *
 * @param kind how the step finds a name
 * @param parent path of the queue under which {@code USER}, {@code PRIMARY_GROUP} look; {@code root} by default
 * @param queue path of the queue that {@code FIXED} names; empty for other kinds
 */
public record PlacementStep(Kind kind, String parent, String queue) {
    /** Ways to find a queue. */
    public enum Kind {
        /** The queue named at submission. */
        SPECIFIED,
        /** A queue named after the user. */
        USER,
        /** A queue named after the user's primary group. */
        PRIMARY_GROUP,
        /** Always the same queue. */
        FIXED,
        /** Refuse the application. */
        REJECT
    }
}
