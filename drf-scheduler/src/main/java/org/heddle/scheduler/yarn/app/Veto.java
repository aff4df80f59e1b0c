// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import org.heddle.scheduler.snapshot.Waiting.Kind;

/** Why an ask may not be served on a node: the first reason that was found. */
public enum Veto implements Verdict {
    /** With the container the ask's user or a queue above would exceed its limit. */
    OVER_LIMIT(Group.DYNAMIC, Kind.OVER_LIMIT),
    /** The ApplicationMasters of the queue have reached their limit. */
    MASTERS_SHARE(Group.DYNAMIC, Kind.MASTERS_SHARE),
    /** The node is being decommissioned. */
    NOT_RUNNING(Group.STATIC, Kind.NOT_RUNNING),
    /** The node is on the attempt's blacklist. */
    BLACKLISTED(Group.STATIC, Kind.BLACKLISTED),
    /** The node is in another partition, or the ask's constraints exclude it. */
    LABEL(Group.STATIC, Kind.LABEL),
    /** With the container a queue would exceed its limit on the node's partition. */
    LABEL_LIMIT(Group.DYNAMIC, Kind.LABEL_LIMIT),
    /** The node is too small for the container even when it is empty. */
    TOO_LARGE(Group.STATIC, Kind.TOO_LARGE),
    /** The node is reserved, or a promise keeps its resources, for another ask. */
    RESERVED(Group.DYNAMIC, Kind.RESERVED),
    /** The node has not enough free resources. */
    INSUFFICIENT_RESOURCES(Group.DYNAMIC, Kind.INSUFFICIENT_RESOURCES),
    /** The node has less free resources than the minimum offer. */
    MINIMUM_OFFER(Group.DYNAMIC, Kind.MINIMUM_OFFER),
    /** The ask waits for a node or rack that it prefers. */
    LOCALITY(Group.DYNAMIC, Kind.LOCALITY),
    /** The ask is for other nodes or racks only. */
    OTHER_PLACES(Group.DYNAMIC, Kind.LOCALITY),
    /** The ask is gone. */
    WITHDRAWN(Group.STATIC, Kind.ASKS_FOR_NOTHING);

    /** Whether a veto can end by waiting. */
    public enum Group {
        /** Stays until the node or the ask changes. */
        STATIC,
        /** Ends when containers end, or with time. */
        DYNAMIC
    }

    private final Group group;
    private final Kind kind;

    Veto(Group group, Kind kind) {
        this.group = group;
        this.kind = kind;
    }

    public Group group() {
        return group;
    }

    /** The kind of reason that is reported for it. */
    public Kind kind() {
        return kind;
    }
}
