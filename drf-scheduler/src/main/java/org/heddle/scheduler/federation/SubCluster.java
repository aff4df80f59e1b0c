// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.federation;

import java.util.List;
import java.util.Map;

/**
 * What one sub-cluster says of itself.
 *
 * @param id of the federation, such as sc1
 * @param capacity of all its nodes, per resource name
 * @param root its queues
 */
public record SubCluster(String id, Map<String, Long> capacity, Queue root) {
    /**
     * A queue, and the queues below it.
     *
     * @param path names from the root
     * @param weight the configured one
     * @param usage what it has, per resource name
     * @param demand what it has and asks for, per resource name
     * @param limit the most it may have, per resource name; absent where not limited
     * @param children the queues directly inside it; empty for a leaf
     */
    public record Queue(
            String path,
            double weight,
            Map<String, Long> usage,
            Map<String, Long> demand,
            Map<String, Long> limit,
            List<Queue> children) {
        public Queue {
            children = List.copyOf(children);
        }
    }
}
