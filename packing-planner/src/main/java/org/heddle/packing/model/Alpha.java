// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.model;

import java.util.Map;

/**
 * The overcommit penalty: run times of jobs on machines with extras are multiplied by it.
 *
 * @param constant the factor where nothing was measured, &gt;= 1
 * @param measured factors of host and extra pairs, each &gt;= 1
 */
public record Alpha(double constant, Map<Pair, Double> measured) {
    /** A host job beside an extra job, by name. */
    public record Pair(String host, String extra) {}

    public Alpha {
        measured = Map.copyOf(measured);
    }

    public Alpha(double constant) {
        this(constant, Map.of());
    }

    /** The factor when VMs of {@code extra} run on machines of {@code host}. */
    public double of(String host, String extra) {
        return measured.getOrDefault(new Pair(host, extra), constant);
    }
}
