// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.offers;

import java.util.List;
import java.util.Locale;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.Resource;
import org.apache.mesos.v1.Protos.Value;

/**
 * CPUs and memory of a task, an offer or a share.
 *
 * @param memMb memory in MiB
 */
public record Size(double cpus, double memMb) {
    public static final Size NONE = new Size(0, 0);

    /** Sums of decimal fractions of a CPU are off by less than this. */
    private static final double SLACK = 1e-6;

    public static Size of(Offer offer) {
        return of(offer.getResourcesList());
    }

    public static Size of(List<Resource> resources) {
        return new Size(amount(resources, "cpus"), amount(resources, "mem"));
    }

    private static double amount(List<Resource> resources, String name) {
        return resources.stream()
                .filter(resource -> resource.getName().equals(name))
                .mapToDouble(resource -> resource.getScalar().getValue())
                .sum();
    }

    public Size times(int factor) {
        return new Size(cpus * factor, memMb * factor);
    }

    public Size plus(Size other) {
        return new Size(cpus + other.cpus, memMb + other.memMb);
    }

    public Size minus(Size other) {
        return new Size(cpus - other.cpus, memMb - other.memMb);
    }

    public boolean fitsIn(Size room) {
        return cpus <= room.cpus + SLACK && memMb <= room.memMb + SLACK;
    }

    /** How many of these fit into the room. */
    public int timesIn(Size room) {
        double most = Math.min(
                cpus > 0 ? (room.cpus + SLACK) / cpus : Integer.MAX_VALUE,
                memMb > 0 ? (room.memMb + SLACK) / memMb : Integer.MAX_VALUE);
        return (int) Math.max(0, Math.floor(most));
    }

    /** As Mesos' resources. */
    public List<Resource> resources() {
        return List.of(scalar("cpus", cpus), scalar("mem", memMb));
    }

    private static Resource scalar(String name, double value) {
        return Resource.newBuilder()
                .setName(name)
                .setType(Value.Type.SCALAR)
                .setScalar(Value.Scalar.newBuilder().setValue(value))
                .build();
    }

    /** For messages: {@code 4 CPUs and 1024 MiB}. */
    @Override
    public String toString() {
        String number = cpus == Math.rint(cpus) ? Long.toString((long) cpus) : Double.toString(cpus);
        return String.format(Locale.ROOT, "%s CPUs and %.0f MiB", number, memMb);
    }
}
