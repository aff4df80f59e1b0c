// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import org.heddle.scheduler.model.Waiting.Kind;

/** Why an ask may not be served on a node. The order is that of {@link Feasibility#test}, which gives the first one. */
public enum Veto {
    /** The ask's application, its user or a queue above would hold more than its limit. */
    OVER_LIMIT(Group.DYNAMIC, Kind.OVER_LIMIT),
    /** The ApplicationMasters of the queue hold as much as they may. */
    MASTERS_SHARE(Group.DYNAMIC, Kind.MASTERS_SHARE),
    /** No further ApplicationMaster is placed here in this turn. */
    NO_MASTER_NOW(Group.DYNAMIC, Kind.LABEL),
    /** The node is being decommissioned. */
    NOT_RUNNING(Group.STATIC, Kind.NOT_RUNNING),
    /** The attempt does not want the node. */
    BLACKLISTED(Group.STATIC, Kind.BLACKLISTED),
    /** The node is in another partition, or the ask's constraints exclude it. */
    LABEL(Group.STATIC, Kind.LABEL),
    /** The node is too small for the container even when it is empty. */
    TOO_LARGE(Group.STATIC, Kind.TOO_LARGE),
    /** The node is reserved for another ask, or room on it is kept for another one. */
    RESERVED(Group.DYNAMIC, Kind.RESERVED),
    /** The node has not enough free room. */
    NO_ROOM(Group.DYNAMIC, Kind.NO_ROOM),
    /** The node keeps its room together until a larger ask fits. */
    MINIMUM_OFFER(Group.DYNAMIC, Kind.MINIMUM_OFFER),
    /** The ask waits for a node or rack that it prefers. */
    LOCALITY(Group.DYNAMIC, Kind.LOCALITY);

    /** Whether a veto can go away by itself. */
    public enum Group {
        /** It stays until the node or the ask changes. */
        STATIC,
        /** It goes away when containers end, or with time. */
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
