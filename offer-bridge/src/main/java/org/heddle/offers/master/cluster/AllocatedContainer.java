// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.cluster;

import org.heddle.offers.model.Resources;

/**
 * A container that the cluster has allocated.
 *
 * @param containerId name of the container in the cluster
 * @param node name of the node in the cluster, host:port
 * @param host host name of the node
 * @param size size of the container with its agent
 */
public record AllocatedContainer(String containerId, String node, String host, Resources size) {}
