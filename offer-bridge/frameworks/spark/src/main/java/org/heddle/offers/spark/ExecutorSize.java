// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark;

/** The resources of one executor. */
final class ExecutorSize {
    private final int cores;
    private final long memMb;

    /** @param memMb heap, overhead, off-heap memory and Python's memory together, in MiB */
    ExecutorSize(int cores, long memMb) {
        this.cores = cores;
        this.memMb = memMb;
    }

    int cores() {
        return cores;
    }

    long memMb() {
        return memMb;
    }

    /** The number of executors that fit. */
    int fitsIn(double cpus, double mem) {
        return (int) Math.min(Math.floor(cpus / cores), Math.floor(mem / memMb));
    }

    @Override
    public String toString() {
        return cores + " cores and " + memMb + " MiB";
    }
}
