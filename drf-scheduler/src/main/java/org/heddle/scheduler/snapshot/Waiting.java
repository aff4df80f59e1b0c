// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.snapshot;

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
        ASKS_FOR_NOTHING("look at the log of its ApplicationMaster if it should ask for containers"),
        /** Its ApplicationMaster was placed and has not registered yet. */
        MASTER_NOT_REGISTERED("look at the log of its ApplicationMaster, and of the node on which it runs"),
        /** The maximum number of applications runs. */
        NOT_ADMITTED("wait until another application ends, or raise that limit"),
        /** The ApplicationMasters of its queue have reached their limit. */
        MASTERS_SHARE("wait until another application of the queue ends, or raise the queue's <max-am-share>"),
        /** It, its user or a queue above would exceed a limit. */
        OVER_LIMIT("wait until its containers end, or raise that limit"),
        /** Nodes are being decommissioned. */
        NOT_RUNNING("yarn rmadmin -refreshNodes takes them back when they are no longer excluded"),
        /** No node is large enough, even empty. */
        TOO_LARGE("ask for smaller containers, or add larger nodes"),
        /** Nodes have too few free resources. */
        INSUFFICIENT_RESOURCES("wait until containers end, ask for smaller ones, or add nodes"),
        /** Nodes have less free than the minimum offer. */
        MINIMUM_OFFER("wait until these nodes have more room, or lower <minimum-offer>"),
        /** Nodes are reserved for others. */
        RESERVED("wait, or lower <max-reserved-nodes>"),
        /** It waits for a node or rack that it prefers. */
        LOCALITY("it takes another node when the delay is over"),
        /** The application excluded these nodes, or named other nodes. */
        BLACKLISTED("the application itself decides; look at its log for what failed on these nodes"),
        /** Nodes of another partition (label), or that its constraints exclude. */
        LABEL("change its node label or constraints, or give more nodes this label"),
        /** A queue would exceed its limit on the nodes with this label. */
        LABEL_LIMIT("wait until its containers end, or raise <max-resources> of that <node-label>"),
        /** Others come first in the order of the queues. */
        BEHIND("wait; a larger weight of its queue or user moves it forward"),
        /** Preemption for it would lose more work than may be lost now. */
        LOST_WORK_LIMIT("wait, or raise the market's preemption-max-lost-work"),
        /** Nothing: it gets a container at the next heartbeat of such a node. */
        NEXT_HEARTBEAT("wait for a second");

        private final String wayOut;

        Kind(String wayOut) {
            this.wayOut = wayOut;
        }

        /** What can be done about it, as the rest of a sentence. */
        public String wayOut() {
            return wayOut;
        }
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
