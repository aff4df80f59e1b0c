// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

/** Phase of a container's life. */
public enum ContainerPhase {
    /** The cluster has allocated it; nothing runs in it. */
    ALLOCATED,
    /** Its agent was started and has not registered. */
    STARTING,
    /** Its agent has registered. The connection may be broken now. */
    RUNNING
}
