// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.cluster;

import java.util.Map;
import org.heddle.offers.model.Resources;

/**
 * A node of the cluster.
 *
 * @param node host:port
 * @param ip the node's address as the bridge resolves it
 * @param httpAddress the NodeManager's pages
 * @param usable it takes containers
 * @param leavesAt when a decommissioning ends, wall clock in ms; 0 if none is under way
 * @param attributes node attributes and labels
 */
public record ClusterNode(
        String node,
        String host,
        String ip,
        String rack,
        String httpAddress,
        Resources total,
        Resources used,
        boolean usable,
        long leavesAt,
        Map<String, String> attributes) {}
