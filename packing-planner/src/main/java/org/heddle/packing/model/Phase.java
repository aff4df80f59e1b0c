// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.model;

import java.util.List;

/**
 * Jobs that share the cluster for a while.
 *
 * @param start seconds from the start of the plan
 * @param seconds its length
 * @param assignments the jobs in it
 */
public record Phase(double start, double seconds, List<Assignment> assignments) {
    public Phase {
        assignments = List.copyOf(assignments);
    }
}
