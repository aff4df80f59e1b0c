// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.cluster;

import java.util.Map;
import org.heddle.offers.model.Resources;

/**
 * A node of the cluster.
 *
 * @param node host:port
 * @param ip address of the node as the bridge resolves it
 * @param httpAddress address of the NodeManager's web pages
 * @param usable whether containers can be allocated on it
 * @param leavesAt time at which its decommissioning ends, by the monotonic clock in ms; 0 if it is not being
 *     decommissioned
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
