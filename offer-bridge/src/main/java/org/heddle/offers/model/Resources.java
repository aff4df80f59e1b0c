// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.model;

/**
 * An amount of a node's resources.
 *
 * @param milliCpus thousandths of a CPU
 * @param memMb memory in MiB
 * @param diskMb disk in MiB, which YARN does not schedule; the bridge offers a configured amount
 * @param ports port numbers
 */
public record Resources(long milliCpus, long memMb, long diskMb, Ports ports) {
    public static final Resources NONE = new Resources(0, 0, 0, Ports.NONE);

    public Resources {
        if (milliCpus < 0 || memMb < 0 || diskMb < 0) {
            throw new IllegalArgumentException(
                    "resources of " + milliCpus + " milli-cpus, " + memMb + " MiB, " + diskMb + " MiB disk: want >= 0");
        }
    }

    public static Resources of(long milliCpus, long memMb) {
        return new Resources(milliCpus, memMb, 0, Ports.NONE);
    }

    public boolean isEmpty() {
        return milliCpus == 0 && memMb == 0 && diskMb == 0 && ports.isEmpty();
    }

    /** Whether no resource of the other amount is larger than here. */
    public boolean contains(Resources other) {
        return milliCpus >= other.milliCpus
                && memMb >= other.memMb
                && diskMb >= other.diskMb
                && ports.contains(other.ports);
    }

    /** As {@link #contains}, but only for CPUs and memory, which YARN schedules. */
    public boolean covers(Resources other) {
        return milliCpus >= other.milliCpus && memMb >= other.memMb;
    }

    public Resources plus(Resources other) {
        return new Resources(
                Math.addExact(milliCpus, other.milliCpus),
                Math.addExact(memMb, other.memMb),
                Math.addExact(diskMb, other.diskMb),
                ports.plus(other.ports));
    }

    /** The difference; no amount becomes negative. */
    public Resources minus(Resources other) {
        return new Resources(
                Math.max(0, milliCpus - other.milliCpus),
                Math.max(0, memMb - other.memMb),
                Math.max(0, diskMb - other.diskMb),
                ports.minus(other.ports));
    }

    /** The larger of both, for each of CPUs, memory and disk. */
    public Resources max(Resources other) {
        return new Resources(
                Math.max(milliCpus, other.milliCpus),
                Math.max(memMb, other.memMb),
                Math.max(diskMb, other.diskMb),
                ports.plus(other.ports));
    }

    /** The smaller of both, of CPUs and memory. */
    public Resources cappedBy(Resources limit) {
        return new Resources(Math.min(milliCpus, limit.milliCpus), Math.min(memMb, limit.memMb), diskMb, ports);
    }

    /** The larger one of its parts of all CPUs and of all memory of a cluster, 0 to 1; 0 of an empty cluster. */
    public double dominantShare(Resources cluster) {
        double cpus = cluster.milliCpus == 0 ? 0 : (double) milliCpus / cluster.milliCpus;
        double memory = cluster.memMb == 0 ? 0 : (double) memMb / cluster.memMb;
        return Math.max(cpus, memory);
    }

    public Resources times(long factor) {
        return new Resources(
                Math.multiplyExact(milliCpus, factor),
                Math.multiplyExact(memMb, factor),
                Math.multiplyExact(diskMb, factor),
                ports);
    }

    @Override
    public String toString() {
        return "cpus " + milliCpus / 1000.0 + ", mem " + memMb + " MiB"
                + (diskMb == 0 ? "" : ", disk " + diskMb + " MiB")
                + (ports.isEmpty() ? "" : ", ports " + ports.ranges());
    }
}
