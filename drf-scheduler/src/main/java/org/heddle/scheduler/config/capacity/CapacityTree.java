// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.capacity;

import java.math.BigDecimal;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.heddle.scheduler.config.capacity.CapacityAmount.Kind;
import org.heddle.scheduler.config.capacity.CapacityQueue.Share;
import org.heddle.scheduler.config.schema.ConfigSchema;

/** Reads which queues there are, and how they divide the cluster and the nodes with each label. */
final class CapacityTree {
    static final String NO_LABEL = "";
    static final String LABELS = "accessible-node-labels";
    static final String CAPACITY = "capacity";
    static final String MAXIMUM = "maximum-capacity";
    static final String ROOT_QUEUES = CapacityProperties.PREFIX + ConfigSchema.ROOT_QUEUE + ".queues";

    private static final String LEGACY = CapacityProperties.PREFIX + "legacy-queue-mode.enabled";
    private static final String DEPTH = "auto-queue-creation-v2.maximum-queue-depth";
    private static final Pattern LABEL = Pattern.compile("\\." + LABELS + "\\.([^.]+)\\.");
    /** CapacityScheduler's precision of a sum of percentages. */
    private static final BigDecimal PRECISION = new BigDecimal("0.05");

    private final CapacityProperties properties;
    private final SortedMap<String, String> resources;
    private final Set<String> labels = new TreeSet<>();
    private final boolean legacy;

    /** @param resources resource types of the cluster, name to unit */
    CapacityTree(CapacityProperties properties, SortedMap<String, String> resources) {
        this.properties = properties;
        this.resources = resources;
        this.legacy = properties.is(LEGACY, true);
        for (String key : properties.names(CapacityProperties.PREFIX)) {
            Matcher label = LABEL.matcher(key);
            if (label.find()) {
                labels.add(label.group(1));
            }
        }
    }

    /** The queue {@code root} with all others below it. */
    CapacityQueue read() {
        CapacityQueue root = new CapacityQueue(ConfigSchema.ROOT_QUEUE, null);
        root.shares.put(NO_LABEL, Share.ROOT);
        properties.get(root.key(CAPACITY));
        properties.get(root.key(MAXIMUM));
        for (String label : labels) {
            root.shares.put(label, Share.ROOT);
            properties.get(root.key(label, CAPACITY));
            properties.get(root.key(label, MAXIMUM));
        }
        readChildren(root);
        if (root.children.isEmpty()) {
            properties.add(
                    ROOT_QUEUES,
                    "must name at least one queue, such as default: applications cannot be in root itself");
        }
        return root;
    }

    private void readChildren(CapacityQueue parent) {
        String key = parent.key("queues");
        parent.newLevels = newLevels(parent);
        Set<String> names = new HashSet<>();
        for (String name : properties.list(key)) {
            if (name.indexOf('.') >= 0) {
                properties.add(
                        key,
                        "names " + name + ", which has a dot; write the queues inside a queue into the"
                                + " property queues of that queue");
            } else if (!names.add(name)) {
                properties.add(key, "names " + name + " twice; remove one");
            } else {
                parent.children.add(new CapacityQueue(parent.path + "." + name, parent));
            }
        }
        divide(parent, NO_LABEL);
        labels.forEach(label -> divide(parent, label));
        parent.children.forEach(this::readChildren);
    }

    /** One in the first version of automatic queues, a configured number in the second. */
    private int newLevels(CapacityQueue parent) {
        int newLevels = properties.is(parent.key("auto-create-child-queue.enabled"), false) ? 1 : 0;
        if (properties.is(parent.key("auto-queue-creation-v2.enabled"), false)) {
            int usual = properties.count(CapacityProperties.PREFIX + DEPTH, 2);
            newLevels = Math.max(0, properties.count(parent.key(DEPTH), usual));
        }
        return newLevels;
    }

    // ---- capacities ----

    /** Reads what each child has of the nodes with a label, and whether this is possible together. */
    private void divide(CapacityQueue parent, String label) {
        Map<CapacityQueue, CapacityAmount> written =
                parent.children.stream().collect(Collectors.toMap(child -> child, child -> capacity(child, label)));
        if (label.isEmpty() || isConfigured(parent, label)) {
            check(parent, label, written);
        }
        CapacityDivision division =
                new CapacityDivision(parent.share(label).capacity(), written.values(), resources.keySet());
        for (CapacityQueue child : parent.children) {
            CapacityAmount amount = Objects.requireNonNull(written.get(child));
            CapacityAmount most = maximum(child, label);
            child.shares.put(
                    label,
                    new Share(
                            amount,
                            division.capacity(amount),
                            limit(parent.share(label).limit(), most),
                            !most.equals(CapacityAmount.ALL),
                            division.weight(amount),
                            division.fixed(amount)));
            refuseMoreThanMaximum(child, label, amount, most);
        }
    }

    /** The limit of a queue below one that has this limit. */
    private CapacityExtent limit(CapacityExtent above, CapacityAmount most) {
        if (most.byResource().isEmpty()) {
            return above.times(most.number().movePointLeft(2));
        }
        if (most.kind() == Kind.AMOUNTS) {
            return above.atMost(most.amounts());
        }
        Map<String, BigDecimal> factors = new TreeMap<>();
        for (String resource : resources.keySet()) {
            CapacityAmount one = most.of(resource);
            factors.put(resource, one.kind() == Kind.PERCENT ? one.number().movePointLeft(2) : BigDecimal.ONE);
        }
        return above.times(factors).atMost(most.amounts());
    }

    private boolean isConfigured(CapacityQueue queue, String label) {
        return !properties.names(queue.key(LABELS + "." + label + ".")).isEmpty();
    }

    private CapacityAmount capacity(CapacityQueue queue, String label) {
        return properties.value(
                queue.key(label, CAPACITY), text -> CapacityAmount.parse(text, resources), CapacityAmount.NOT_SET);
    }

    private CapacityAmount maximum(CapacityQueue queue, String label) {
        String key = queue.key(label, MAXIMUM);
        CapacityAmount most =
                properties.value(key, text -> CapacityAmount.parseMaximum(text, resources), CapacityAmount.ALL);
        if (most.number().compareTo(CapacityAmount.HUNDRED) <= 0) {
            return most;
        }
        if (label.isEmpty()) {
            properties.warn(key, "counts as 100, because no queue can have more than the queue above");
        } else {
            properties.add(key, "must be a percentage from 0 to 100");
        }
        return CapacityAmount.ALL;
    }

    private void refuseMoreThanMaximum(CapacityQueue child, String label, CapacityAmount own, CapacityAmount most) {
        if (own.kind() == Kind.PERCENT
                && most.kind() == Kind.PERCENT
                && own.number().compareTo(most.number()) > 0) {
            properties.warn(
                    child.key(label, MAXIMUM),
                    "is less than the capacity, " + own.number().toPlainString() + ", of which the rest has no effect");
        }
    }

    // ---- whether the children's capacities go together ----

    private void check(CapacityQueue parent, String label, Map<CapacityQueue, CapacityAmount> written) {
        Set<Kind> kinds = EnumSet.noneOf(Kind.class);
        written.values().stream()
                .filter(amount ->
                        amount.kind() != Kind.NOT_SET && (amount.kind() != Kind.PERCENT || amount.isPositive()))
                .forEach(amount -> kinds.add(amount.kind()));
        if (parent.children.isEmpty() || !legacy) {
            return;
        }
        CapacityQueue first = parent.children.get(0);
        if (kinds.size() > 1 || kinds.contains(Kind.MIXED)) {
            properties.add(
                    first.key(label, CAPACITY),
                    "and those of its siblings in " + parent.path + " are of several kinds: write all of them as"
                            + " percentages, all as weights or all as amounts, or set " + LEGACY + " to false");
            return;
        }
        Kind kind = kinds.isEmpty() ? Kind.PERCENT : kinds.iterator().next();
        Kind above = parent.share(label).written().kind();
        if (!parent.isRoot() && (kind == Kind.AMOUNTS) != (above == Kind.AMOUNTS)) {
            properties.add(
                    first.key(label, CAPACITY),
                    "must be amounts where " + parent.path + " has amounts, and only there, as for CapacityScheduler");
        } else if (kind == Kind.AMOUNTS) {
            checkAmounts(parent, label, written);
        } else if (kind == Kind.PERCENT) {
            checkSum(parent, label, written, kinds.isEmpty() && above == Kind.WEIGHT);
        }
    }

    private void checkAmounts(CapacityQueue parent, String label, Map<CapacityQueue, CapacityAmount> written) {
        Long most = parent.share(label).written().amounts().get("memory-mb");
        long sum = written.values().stream()
                .mapToLong(amount -> amount.amounts().getOrDefault("memory-mb", 0L))
                .sum();
        if (most != null && sum > most) {
            properties.add(
                    parent.key(label, CAPACITY),
                    "is less than the queues inside it have together, " + sum + " memory-mb; change one of them");
        }
    }

    private void checkSum(
            CapacityQueue parent, String label, Map<CapacityQueue, CapacityAmount> written, boolean mayBeNothing) {
        BigDecimal sum = sum(written.values());
        boolean nothing = sum.compareTo(PRECISION) <= 0;
        boolean all = sum.subtract(CapacityAmount.HUNDRED).abs().compareTo(PRECISION) <= 0;
        boolean mayBeZero = properties.is(parent.key("allow-zero-capacity-sum"), false);
        Share above = parent.share(label);
        boolean parentHasNothing =
                above.written().kind() != Kind.WEIGHT && !above.written().isPositive();
        String wrong = null;
        if (!all && !nothing) {
            wrong = "makes a sum of " + sum.stripTrailingZeros().toPlainString() + " percent for the queues inside "
                    + parent.path + "; it must be 100";
        } else if (nothing && !mayBeNothing && !parentHasNothing && !mayBeZero) {
            wrong = "and those of its siblings are 0 or not set, so that the queues inside " + parent.path
                    + " have nothing; make their sum 100, or set allow-zero-capacity-sum there";
        } else if (all && parentHasNothing && !mayBeZero) {
            wrong = "is more than 0, and " + parent.path + " above it has no capacity; give it one, or set"
                    + " allow-zero-capacity-sum there";
        }
        if (wrong != null) {
            properties.add(parent.children.get(0).key(label, CAPACITY), wrong);
        }
    }

    private static BigDecimal sum(Iterable<CapacityAmount> amounts) {
        BigDecimal sum = BigDecimal.ZERO;
        for (CapacityAmount amount : amounts) {
            sum = sum.add(amount.number());
        }
        return sum;
    }
}
