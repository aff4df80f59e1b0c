// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.ExecutionTypeRequest;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;

/**
 * What a {@link TestApplication} asks for: a number of containers of one size. Build it, hand it to
 * {@link TestApplication#ask}, and look here for what was granted. Asks of one application may have equal priority and
 * different sizes; each has an allocation request id of its own.
 */
public final class Ask {
    private final Map<String, Long> resources;
    private final Set<String> hosts = new LinkedHashSet<>();
    private final Set<String> racks = new LinkedHashSet<>();
    private final List<Container> granted = new ArrayList<>();
    private int pending;
    private int priority = 1;
    private boolean anywhere = true;
    private String label = "";
    private long id = -1;

    private Ask(int count, Map<String, Long> resources) {
        if (count < 1) {
            throw new IllegalArgumentException("containers asked for = " + count + ": give 1 or more");
        }
        this.pending = count;
        this.resources = Map.copyOf(resources);
    }

    /**
     * Asks for {@code count} containers.
     *
     * @param resources resource name to units, for example {@code memory-mb} and {@code vcores}
     */
    public static Ask of(int count, Map<String, Long> resources) {
        return new Ask(count, resources);
    }

    /** Smaller is more urgent; 1 where none is given. */
    public Ask priority(int value) {
        priority = value;
        return this;
    }

    /** Prefers these hosts; their racks are asked for too. */
    public Ask onHosts(String... names) {
        hosts.addAll(List.of(names));
        return this;
    }

    /** Prefers these racks. */
    public Ask onRacks(String... names) {
        racks.addAll(List.of(names));
        return this;
    }

    /** Takes nothing but the hosts and racks named: {@code relaxLocality = false}. */
    public Ask nowhereElse() {
        anywhere = false;
        return this;
    }

    /** Asks in a node label's partition. */
    public Ask label(String expression) {
        label = expression;
        return this;
    }

    /** Containers that came, in order; those ended since are still here. */
    public List<Container> granted() {
        return List.copyOf(granted);
    }

    /** Number of containers that are still requested. */
    public int pending() {
        return pending;
    }

    long id() {
        return id;
    }

    void number(long value) {
        if (id >= 0) {
            throw new IllegalStateException("this ask was already made; make a new one");
        }
        id = value;
    }

    void add(int more) {
        pending = Math.max(0, pending + more);
    }

    void grant(Container container) {
        granted.add(container);
        add(-1);
    }

    /** The rows of the protocol's table for what is pending: hosts, racks, everywhere. */
    Collection<ResourceRequest> rows(UnaryOperator<String> rackOfHost) {
        Map<String, ResourceRequest> rows = new LinkedHashMap<>();
        Set<String> explicitRacks = racks;
        for (String host : hosts) {
            rows.put(host, row(host, true));
            String rack = rackOfHost.apply(host);
            rows.putIfAbsent(rack, row(rack, anywhere));
        }
        for (String rack : explicitRacks) {
            rows.put(rack, row(rack, true));
        }
        boolean somewhere = anywhere || (hosts.isEmpty() && racks.isEmpty());
        rows.put(ResourceRequest.ANY, row(ResourceRequest.ANY, somewhere));
        return rows.values();
    }

    private ResourceRequest row(String where, boolean relaxLocality) {
        ResourceRequest.ResourceRequestBuilder row = ResourceRequest.newBuilder()
                .priority(Priority.newInstance(priority))
                .resourceName(where)
                .capability(resource(resources))
                .numContainers(pending)
                .relaxLocality(relaxLocality)
                .allocationRequestId(id)
                .executionTypeRequest(ExecutionTypeRequest.newInstance(ExecutionType.GUARANTEED));
        if (ResourceRequest.ANY.equals(where)) {
            row.nodeLabelExpression(label);
        }
        return row.build();
    }

    static Resource resource(Map<String, Long> resources) {
        Resource resource = Resource.newInstance(
                resources.getOrDefault(NodeSpec.MEMORY, 1L),
                Math.toIntExact(resources.getOrDefault(NodeSpec.VCORES, 1L)));
        resources.forEach(resource::setResourceValue);
        return resource;
    }

    @Override
    public String toString() {
        return pending + " x " + resources + " at priority " + priority;
    }
}
