// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.model;

/**
 * An amount of a node's resources.
 *
 * @param milliCpus thousandths of a CPU
 * @param memMb memory in MiB
 * @param diskMb disk in MiB, which YARN does not schedule; the bridge offers a configured amount
 * @param ports port numbers
 * @param gpus whole GPUs
 */
public record Resources(long milliCpus, long memMb, long diskMb, Ports ports, long gpus) {
    public static final Resources NONE = new Resources(0, 0, 0, Ports.NONE);

    public Resources {
        if (milliCpus < 0 || memMb < 0 || diskMb < 0 || gpus < 0) {
            throw new IllegalArgumentException("resources of " + milliCpus + " milli-cpus, " + memMb + " MiB, " + diskMb
                    + " MiB disk, " + gpus + " gpus: want >= 0");
        }
    }

    /** Without GPUs. */
    public Resources(long milliCpus, long memMb, long diskMb, Ports ports) {
        this(milliCpus, memMb, diskMb, ports, 0);
    }

    public static Resources of(long milliCpus, long memMb) {
        return new Resources(milliCpus, memMb, 0, Ports.NONE);
    }

    public Resources withGpus(long number) {
        return new Resources(milliCpus, memMb, diskMb, ports, number);
    }

    /** What YARN schedules of it: not disk and ports. */
    public Resources scheduled() {
        return new Resources(milliCpus, memMb, 0, Ports.NONE, gpus);
    }

    public boolean isEmpty() {
        return milliCpus == 0 && memMb == 0 && diskMb == 0 && gpus == 0 && ports.isEmpty();
    }

    /** Whether no resource of the other amount is larger than here. */
    public boolean contains(Resources other) {
        return milliCpus >= other.milliCpus
                && memMb >= other.memMb
                && diskMb >= other.diskMb
                && gpus >= other.gpus
                && ports.contains(other.ports);
    }

    /** As {@link #contains}, but only for what YARN schedules. */
    public boolean covers(Resources other) {
        return milliCpus >= other.milliCpus && memMb >= other.memMb && gpus >= other.gpus;
    }

    public Resources plus(Resources other) {
        return new Resources(
                Math.addExact(milliCpus, other.milliCpus),
                Math.addExact(memMb, other.memMb),
                Math.addExact(diskMb, other.diskMb),
                ports.plus(other.ports),
                Math.addExact(gpus, other.gpus));
    }

    /** The difference; no amount becomes negative. */
    public Resources minus(Resources other) {
        return new Resources(
                Math.max(0, milliCpus - other.milliCpus),
                Math.max(0, memMb - other.memMb),
                Math.max(0, diskMb - other.diskMb),
                ports.minus(other.ports),
                Math.max(0, gpus - other.gpus));
    }

    /** The larger of both, for each of CPUs, memory, disk and GPUs. */
    public Resources max(Resources other) {
        return new Resources(
                Math.max(milliCpus, other.milliCpus),
                Math.max(memMb, other.memMb),
                Math.max(diskMb, other.diskMb),
                ports.plus(other.ports),
                Math.max(gpus, other.gpus));
    }

    /** The smaller of both, of what YARN schedules. */
    public Resources cappedBy(Resources limit) {
        return new Resources(
                Math.min(milliCpus, limit.milliCpus),
                Math.min(memMb, limit.memMb),
                diskMb,
                ports,
                Math.min(gpus, limit.gpus));
    }

    /**
     * The largest one of its parts of all CPUs, all memory and all GPUs of a cluster, 0 to 1; 0 of an empty cluster.
     */
    public double dominantShare(Resources cluster) {
        return Math.max(
                part(gpus, cluster.gpus), Math.max(part(milliCpus, cluster.milliCpus), part(memMb, cluster.memMb)));
    }

    private static double part(long amount, long whole) {
        return whole == 0 ? 0 : (double) amount / whole;
    }

    public Resources times(long factor) {
        return new Resources(
                Math.multiplyExact(milliCpus, factor),
                Math.multiplyExact(memMb, factor),
                Math.multiplyExact(diskMb, factor),
                ports,
                Math.multiplyExact(gpus, factor));
    }

    @Override
    public String toString() {
        return "cpus " + milliCpus / 1000.0 + ", mem " + memMb + " MiB"
                + (diskMb == 0 ? "" : ", disk " + diskMb + " MiB")
                + (gpus == 0 ? "" : ", gpus " + gpus)
                + (ports.isEmpty() ? "" : ", ports " + ports.ranges());
    }
}
