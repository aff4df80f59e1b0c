// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;

/** How near a node is to what an ask names. */
public enum Locality implements Verdict {
    NODE(NodeType.NODE_LOCAL),
    RACK(NodeType.RACK_LOCAL),
    /** Neither, and the ask has waited long enough. */
    ELSEWHERE(NodeType.OFF_SWITCH),
    /** The ask names no place. */
    NO_PREFERENCE(NodeType.OFF_SWITCH);

    private final NodeType type;

    Locality(NodeType type) {
        this.type = type;
    }

    /** What YARN calls it. */
    public NodeType type() {
        return type;
    }
}
