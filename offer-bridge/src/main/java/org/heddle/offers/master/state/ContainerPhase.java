// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

/** How far a container has come. */
public enum ContainerPhase {
    /** The cluster has allocated it; nothing runs in it. */
    ALLOCATED,
    /** Its agent is being started. */
    STARTING,
    /** Its agent has registered, even if the connection is broken now. */
    RUNNING
}
