// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

import java.util.List;

/**
 * The reasons why an application waits for containers, at one moment.
 *
 * @param application its id
 * @param queue path of its leaf queue
 * @param user its user
 * @param takenAtMillis wall clock time, milliseconds since 1970
 * @param runningContainers containers that it holds
 * @param pendingContainers containers that it asks for
 * @param summary one sentence: the reason that matters most
 * @param reasons all reasons; the one that concerns most containers comes first
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
        /** The maximum number of applications runs. */
        NOT_ADMITTED,
        /** The ApplicationMasters of its queue have reached their limit. */
        MASTERS_SHARE,
        /** It, its user or a queue above would exceed a limit. */
        OVER_LIMIT,
        /** Nodes are being decommissioned. */
        NOT_RUNNING,
        /** No node is large enough, even empty. */
        TOO_LARGE,
        /** Nodes have too few free resources. */
        INSUFFICIENT_RESOURCES,
        /** Nodes have less free than the minimum offer. */
        MINIMUM_OFFER,
        /** Nodes are reserved for others. */
        RESERVED,
        /** It waits for a node or rack that it prefers. */
        LOCALITY,
        /** The application excluded these nodes, or named other nodes. */
        BLACKLISTED,
        /** Nodes of another partition (label), or that its constraints exclude. */
        LABEL,
        /** Others come first in the order of the queues. */
        BEHIND,
        /** Preemption for it would lose more work than may be lost now. */
        LOST_WORK_LIMIT,
        /** Nothing: it gets a container at the next heartbeat of such a node. */
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
