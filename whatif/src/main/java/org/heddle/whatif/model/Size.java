// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.model;

/**
 * The size of a container or of a node.
 *
 * @param memoryMb memory in MiB
 * @param vcores virtual cores
 */
public record Size(long memoryMb, int vcores) {
    /** Whether another size fits into this one. */
    public boolean holds(Size other) {
        return other.memoryMb <= memoryMb && other.vcores <= vcores;
    }

    @Override
    public String toString() {
        return memoryMb + " MB and " + vcores + (vcores == 1 ? " vcore" : " vcores");
    }
}
