// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.compat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.model.Amounts;
import org.heddle.scheduler.model.Weights;
import org.jspecify.annotations.Nullable;

/**
 * Converts between YARN's resources and the engine's vectors, which have one element for each configured resource
 * type, in YARN's order.
 */
public final class ResourceVectors {
    /** What a node has of a resource that does not count; the sum over all nodes of a cluster is still a long. */
    private static final long PLENTY = 1L << 40;

    private static final int MEMORY = 0;

    private final List<String> names = new ArrayList<>();
    private final ResourceAmounts.Names sortedNames;
    private final boolean memoryOnly;

    /** The resource types of the ResourceManager, as they are configured now. */
    public ResourceVectors() {
        this(false);
    }

    /**
     * The same.
     *
     * @param memoryOnly nodes have room for a container if they have the memory
     */
    public ResourceVectors(boolean memoryOnly) {
        this.memoryOnly = memoryOnly;
        for (ResourceInformation type : ResourceUtils.getResourceTypesArray()) {
            names.add(type.getName());
        }
        sortedNames = new ResourceAmounts.Names(names);
    }

    public int size() {
        return names.size();
    }

    /** Whether containers take up memory alone: what nodes have of other resources bounds nothing. */
    public boolean memoryOnly() {
        return memoryOnly;
    }

    /** Whether a resource bounds what containers may take. */
    public boolean counts(int resource) {
        return !memoryOnly || resource == MEMORY;
    }

    /** A total in which resources that do not count are 0, so that nobody has a part of them. */
    public long[] counted(long[] total) {
        long[] counted = total.clone();
        Arrays.setAll(counted, j -> counts(j) ? total[j] : 0);
        return counted;
    }

    public List<String> names() {
        return names;
    }

    /** Name to unit of every resource type, as {@code ResourceInformation.getUnits} has it. */
    public static Map<String, String> units() {
        Map<String, String> units = new TreeMap<>();
        for (ResourceInformation type : ResourceUtils.getResourceTypesArray()) {
            units.put(type.getName(), type.getUnits());
        }
        return units;
    }

    public long[] of(Resource resource) {
        long[] vector = new long[names.size()];
        read(resource, vector);
        return vector;
    }

    /** What a node has for containers, of its free or of all its resources: plenty of those that do not count. */
    public long[] room(Resource ofNode) {
        long[] vector = new long[names.size()];
        readRoom(ofNode, vector);
        return vector;
    }

    /** Writes the same into a vector. */
    public void readRoom(Resource ofNode, long[] vector) {
        read(ofNode, vector);
        if (memoryOnly) {
            Arrays.fill(vector, MEMORY + 1, vector.length, PLENTY);
        }
    }

    /** A total minus what a queue, user or application uses. */
    public long[] minus(Resource total, Schedulable schedulable) {
        long[] rest = of(total);
        for (int j = 0; j < rest.length; j++) {
            rest[j] -= schedulable.usage(j);
        }
        return rest;
    }

    private static void read(Resource resource, long[] vector) {
        ResourceInformation[] parts = resource.getResources();
        for (int j = 0; j < vector.length; j++) {
            vector[j] = parts[j].getValue();
        }
    }

    public static boolean same(Resource resource, long[] vector) {
        ResourceInformation[] parts = resource.getResources();
        for (int j = 0; j < vector.length; j++) {
            if (parts[j].getValue() != vector[j]) {
                return false;
            }
        }
        return true;
    }

    public Resource toResource(long[] vector) {
        Resource resource = Resource.newInstance(0, 0);
        for (int j = 0; j < vector.length; j++) {
            resource.setResourceValue(names.get(j), vector[j]);
        }
        return resource;
    }

    /** For messages, such as {@code 2048 memory-mb, 1 vcores}; a limit of nothing is {@code any}. */
    public String words(long[] amount) {
        StringJoiner words = new StringJoiner(", ");
        for (int j = 0; j < amount.length; j++) {
            if (amount[j] != 0 || j < 2) {
                words.add((amount[j] == Long.MAX_VALUE ? "any" : String.valueOf(amount[j])) + " " + names.get(j));
            }
        }
        return words.toString();
    }

    /** By name, in the order of names; the vector is copied. */
    public Map<String, Long> toMap(long[] vector) {
        return new ResourceAmounts(sortedNames, vector);
    }

    /** The weight of each resource. */
    public double[] weights(Weights weights) {
        double[] vector = new double[names.size()];
        Arrays.setAll(vector, j -> weights.of(names.get(j)));
        return vector;
    }

    /** The factor of each resource's share; 1 where none is configured. */
    public double[] resourceWeights(Map<String, Double> configured) {
        double[] vector = new double[names.size()];
        Arrays.setAll(vector, j -> configured.getOrDefault(names.get(j), 1.0));
        return vector;
    }

    /** A guarantee in absolute units, for a cluster with this capacity; null if there is no guarantee. */
    public long @Nullable [] guarantee(Amounts amounts, long[] capacity) {
        long[] vector = new long[names.size()];
        long sum = 0;
        for (int j = 0; j < vector.length; j++) {
            vector[j] = amounts.guarantee(names.get(j), capacity[j]);
            sum += vector[j];
        }
        return sum == 0 ? null : vector;
    }

    /** A limit in absolute units, for a cluster with this capacity; null if there is no limit. */
    public long @Nullable [] limit(Amounts amounts, long[] capacity) {
        if (amounts.isUnlimited()) {
            return null;
        }
        long[] vector = new long[names.size()];
        for (int j = 0; j < vector.length; j++) {
            vector[j] = amounts.limit(names.get(j), capacity[j]);
        }
        return vector;
    }
}
