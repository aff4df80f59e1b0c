// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.cluster;

import org.heddle.offers.model.Resources;

/**
 * A container which the cluster has allocated.
 *
 * @param containerId the cluster's name for it
 * @param node host:port, the cluster's name for the node
 * @param host the node's host name
 * @param size all of it, with the agent's own memory
 */
public record AllocatedContainer(String containerId, String node, String host, Resources size) {}
