// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import java.util.ArrayList;
import java.util.List;
import org.apache.mesos.v1.Protos.Resource;
import org.apache.mesos.v1.Protos.Value;
import org.heddle.offers.model.PortRange;
import org.heddle.offers.model.Ports;
import org.heddle.offers.model.Resources;

/** Converts the resource lists of Mesos' API. */
public final class MesosResources {
    private static final double LARGEST = 1e12;

    private MesosResources() {}

    /**
     * @throws IllegalArgumentException names the resource that the bridge does not offer, or the amount that is not
     * possible
     */
    public static Resources toResources(List<Resource> resources) {
        double cpus = 0;
        double mem = 0;
        double disk = 0;
        long gpus = 0;
        Ports ports = Ports.NONE;
        for (Resource resource : resources) {
            if (resource.hasReservation() || resource.getReservationsCount() > 0 || resource.hasRevocable()) {
                throw new IllegalArgumentException(
                        "resource " + resource.getName() + " is reserved or revocable: the bridge offers neither");
            }
            if (resource.hasDisk() || resource.hasShared() || resource.hasProviderId()) {
                throw new IllegalArgumentException("resource " + resource.getName()
                        + " is a volume, is shared or has a provider: the bridge offers none of these");
            }
            switch (resource.getName()) {
                case "cpus" -> cpus += scalar(resource);
                case "mem" -> mem += scalar(resource);
                case "disk" -> disk += scalar(resource);
                case "gpus" -> gpus += whole(resource);
                case "ports" -> ports = withoutOverlap(ports, ports(resource));
                default ->
                    throw new IllegalArgumentException(
                            "resource " + resource.getName() + ": the bridge offers cpus, mem, disk, gpus and ports");
            }
        }
        return new Resources(
                // To the nearest thousandth, as in Mesos; and at least one of them.
                cpus > 0 ? Math.max(1, Math.round(cpus * 1000)) : 0,
                (long) Math.ceil(mem - 1e-6),
                (long) Math.ceil(disk - 1e-6),
                ports,
                gpus);
    }

    private static long whole(Resource resource) {
        double value = scalar(resource);
        if (value != Math.rint(value)) {
            throw new IllegalArgumentException(
                    "resource " + resource.getName() + " = " + value + ": want a whole number");
        }
        return (long) value;
    }

    private static double scalar(Resource resource) {
        double value = resource.getScalar().getValue();
        if (resource.getType() != Value.Type.SCALAR || !(value >= 0) || value > LARGEST) {
            throw new IllegalArgumentException(
                    "resource " + resource.getName() + " = " + value + ": want a number >= 0");
        }
        return value;
    }

    private static Ports ports(Resource resource) {
        List<PortRange> ranges = new ArrayList<>();
        for (Value.Range range : resource.getRanges().getRangeList()) {
            if (range.getBegin() < 0 || range.getEnd() > 65535 || range.getEnd() < 0) {
                throw new IllegalArgumentException("ports [" + Long.toUnsignedString(range.getBegin()) + "-"
                        + Long.toUnsignedString(range.getEnd()) + "]: want numbers up to 65535");
            }
            ranges.add(new PortRange((int) range.getBegin(), (int) range.getEnd()));
        }
        Ports all = Ports.NONE;
        for (PortRange range : ranges) {
            all = withoutOverlap(all, new Ports(List.of(range)));
        }
        return all;
    }

    private static Ports withoutOverlap(Ports some, Ports others) {
        if (!some.minus(others).equals(some)) {
            throw new IllegalArgumentException(
                    "ports " + some.ranges() + " and " + others.ranges() + " overlap: each port can be used once");
        }
        return some.plus(others);
    }

    /** The list in the API's form, with the role for frameworks that know allocations to roles. */
    public static List<Resource> toMesos(Resources resources, String allocatedTo) {
        List<Resource> list = new ArrayList<>();
        scalar(list, "cpus", resources.milliCpus() / 1000.0, allocatedTo);
        scalar(list, "mem", (double) resources.memMb(), allocatedTo);
        scalar(list, "disk", (double) resources.diskMb(), allocatedTo);
        scalar(list, "gpus", (double) resources.gpus(), allocatedTo);
        if (!resources.ports().isEmpty()) {
            Value.Ranges.Builder ranges = Value.Ranges.newBuilder();
            resources
                    .ports()
                    .ranges()
                    .forEach(range -> ranges.addRange(
                            Value.Range.newBuilder().setBegin(range.begin()).setEnd(range.end())));
            list.add(resource("ports", Value.Type.RANGES, allocatedTo)
                    .setRanges(ranges)
                    .build());
        }
        return list;
    }

    private static void scalar(List<Resource> list, String name, double value, String allocatedTo) {
        if (value > 0) {
            list.add(resource(name, Value.Type.SCALAR, allocatedTo)
                    .setScalar(Value.Scalar.newBuilder().setValue(value))
                    .build());
        }
    }

    @SuppressWarnings("deprecation") // Clients older than Mesos 1.2 read the role here.
    private static Resource.Builder resource(String name, Value.Type type, String allocatedTo) {
        Resource.Builder resource =
                Resource.newBuilder().setName(name).setType(type).setRole("*");
        if (!allocatedTo.isEmpty()) {
            resource.setAllocationInfo(Resource.AllocationInfo.newBuilder().setRole(allocatedTo));
        }
        return resource;
    }
}
