// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

import java.util.List;

/**
 * Why an application has not got what it asks for, as things stand at one instant.
 *
 * @param application its id
 * @param queue path of its leaf queue
 * @param user whose it is
 * @param takenAtMillis wall clock time, milliseconds since 1970
 * @param runningContainers containers that it holds
 * @param pendingContainers containers that it asks for
 * @param summary one sentence: the reason that matters most
 * @param reasons all that stands between its asks and the cluster's nodes, what concerns most containers first
 */
public record Waiting(
        String application,
        String queue,
        String user,
        long takenAtMillis,
        int runningContainers,
        int pendingContainers,
        String summary,
        List<Reason> reasons) {
    public Waiting {
        reasons = List.copyOf(reasons);
    }

    /** Kinds of reasons. */
    public enum Kind {
        /** It asks for nothing, or is over. */
        ASKS_FOR_NOTHING,
        /** Its ApplicationMaster was placed and has not registered yet. */
        MASTER_NOT_REGISTERED,
        /** As many applications run as may. */
        NOT_ADMITTED,
        /** The ApplicationMasters of its queue hold as much as they may. */
        MASTERS_SHARE,
        /** It, its user or a queue above would hold more than it may. */
        OVER_LIMIT,
        /** Nodes are being decommissioned. */
        NOT_RUNNING,
        /** No node is large enough, even empty. */
        TOO_LARGE,
        /** Nodes have no room of this shape. */
        NO_ROOM,
        /** Nodes hold their room together until a larger ask fits (minimum offer size). */
        MINIMUM_OFFER,
        /** Nodes are reserved for others. */
        RESERVED,
        /** It waits for a node or rack that it prefers. */
        LOCALITY,
        /** It has said that it does not want these nodes, or they are not those that it named. */
        BLACKLISTED,
        /** Nodes of another partition (label), or that its constraints exclude. */
        LABEL,
        /** Others come first in the order of the queues. */
        BEHIND,
        /** Nothing: it is served when such a node next reports. */
        NEXT_HEARTBEAT
    }

    /**
     * One reason.
     *
     * @param kind of reason
     * @param containers asked for that it concerns
     * @param nodes on which it counts; 0 if it is not about nodes
     * @param text one sentence with the numbers
     */
    public record Reason(Kind kind, long containers, int nodes, String text) {}
}
