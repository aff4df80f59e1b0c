// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.capacity;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.heddle.scheduler.config.capacity.CapacityQueue.Share;
import org.heddle.scheduler.model.AccessList;
import org.heddle.scheduler.model.Amounts;
import org.heddle.scheduler.model.LabelCapacity;
import org.heddle.scheduler.model.Plan;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.Weights;
import org.jspecify.annotations.Nullable;

/** Makes the specification of each queue from its properties, as CapacityScheduler reads them. */
final class CapacityQueueReader {
    private static final List<String> TEMPLATES = List.of(
            "leaf-queue-template.", "auto-queue-creation-v2.leaf-template.", "auto-queue-creation-v2.template.");
    private static final String MAXIMUM_APPLICATIONS = "maximum-applications";
    private static final String PARALLEL = "max-parallel-apps";

    private final CapacityProperties properties;
    private final CapacityAccess access;
    private final CapacityOrders orders;
    private final CapacityPreemption preemption;
    private final Set<String> counted;
    private final CapacityAllocations allocations;
    private final CapacityUsers users;
    private final CapacityQueue root;
    private final boolean createsQueues;

    /** What a queue has from those above it. */
    private record Above(
            @Nullable String openToSubmit,
            @Nullable String openToAdminister,
            boolean stopped,
            Set<String> labels,
            CapacityLifetimes lifetimes,
            Map<String, Long> maxContainer,
            int parallel,
            boolean revocable,
            String order) {}

    /**
     * @param counted the resources whose limits count
     * @param resources resource types of the cluster, name to unit
     * @param root with all queues below it
     */
    CapacityQueueReader(
            CapacityProperties properties,
            CapacityAccess access,
            CapacityPreemption preemption,
            CapacityOrders orders,
            Set<String> counted,
            SortedMap<String, String> resources,
            CapacityQueue root) {
        this.properties = properties;
        this.access = access;
        this.preemption = preemption;
        this.orders = orders;
        this.counted = counted;
        this.allocations = new CapacityAllocations(properties, resources);
        this.users = new CapacityUsers(properties, counted);
        this.root = root;
        this.createsQueues = root.createsQueues();
    }

    QueueSpec read() {
        return read(
                root,
                new Above(
                        null,
                        null,
                        false,
                        Set.of("*"),
                        CapacityLifetimes.NONE,
                        Map.of(),
                        Integer.MAX_VALUE,
                        true,
                        orders.usual()));
    }

    private QueueSpec read(CapacityQueue queue, Above above) {
        boolean leaf = queue.isLeaf();
        Share share = queue.share(CapacityTree.NO_LABEL);
        AccessList submit = access.read(queue, CapacityAccess.SUBMIT, above.openToSubmit());
        AccessList administer = access.read(queue, CapacityAccess.ADMINISTER, above.openToAdminister());
        boolean stopped = stopped(queue, above.stopped());
        boolean revocable = !properties.is(queue.key("disable_preemption"), !above.revocable());
        String order = leaf ? orders.ofUsers() : orders.ofParent(queue, above.order());
        Above here = new Above(
                submit.everyone() ? queue.path : above.openToSubmit(),
                administer.everyone() ? queue.path : above.openToAdminister(),
                stopped,
                labels(queue, above.labels()),
                above.lifetimes().inside(properties, queue),
                allocations.inside(queue, above.maxContainer()),
                Math.min(parallel(queue), above.parallel()),
                revocable,
                order);
        List<QueueSpec> children =
                queue.children.stream().map(child -> read(child, here)).toList();
        QueueSpec spec = QueueSpec.at(queue.path)
                .withParent(queue.newLevels > 0)
                .withChildren(children)
                .with(QueueSettings.WEIGHT, queue.isRoot() ? Weights.ONE : share.weight())
                .with(QueueSettings.CAPACITY, share.fixed())
                .with(QueueSettings.STOPPED, stopped)
                .with(QueueSettings.MAX_APPLICATIONS, maximumApplications(queue, leaf))
                .with(QueueSettings.PRIORITY, properties.count(queue.key("priority"), 0))
                .with(QueueSettings.ORDER, order)
                .with(QueueSettings.MAX_RESOURCES, share.hasLimit() ? limit(share) : Amounts.UNLIMITED)
                .with(QueueSettings.MAX_CONTAINER, new Amounts(here.maxContainer(), Map.of()))
                .with(QueueSettings.MAX_RUNNING_APPS, here.parallel())
                .with(QueueSettings.MAX_APPLICATION_LIFETIME, here.lifetimes().mostMillis())
                .with(
                        QueueSettings.DEFAULT_APPLICATION_LIFETIME,
                        here.lifetimes().usualMillis())
                .with(QueueSettings.NODE_LABELS, here.labels())
                .with(QueueSettings.DEFAULT_NODE_LABEL, usualLabel(queue))
                .with(QueueSettings.LABEL_CAPACITIES, labelCapacities(queue))
                .with(QueueSettings.GUARANTEED_RESOURCES, guaranteed(queue, share, above.order()))
                .with(QueueSettings.ALLOW_PREEMPTION_FROM, revocable)
                .with(QueueSettings.SUBMIT, submit)
                .with(QueueSettings.ADMINISTER, administer);
        if (!leaf && createsQueues) {
            spec = spec.with(QueueSettings.MAX_NEW_QUEUE_LEVELS, queue.newLevels)
                    .with(QueueSettings.MAX_CHILD_RESOURCES, ofNewQueues(queue, share));
        }
        return preemption.withTimeouts(queue, leaf ? leaf(queue, spec) : spec);
    }

    private QueueSpec leaf(CapacityQueue queue, QueueSpec spec) {
        boolean plan = properties.is(queue.key("reservable"), false);
        return users.read(queue, spec.with(QueueSettings.USER_ORDER, orders.ofApplications(queue)))
                .with(QueueSettings.PLAN, plan ? Optional.of(Plan.DEFAULT) : Optional.empty())
                .with(QueueSettings.PRIORITIES, access.priorities(queue));
    }

    /** The maximum that the templates give queues which are created inside: a part of what this queue may have. */
    private Amounts ofNewQueues(CapacityQueue queue, Share share) {
        for (String template : TEMPLATES) {
            BigDecimal percent = properties.number(queue.key(template + CapacityTree.MAXIMUM), CapacityAmount.HUNDRED);
            if (percent.signum() >= 0 && percent.compareTo(CapacityAmount.HUNDRED) < 0) {
                return share.limit().times(percent.movePointLeft(2)).amounts(counted);
            }
        }
        return Amounts.UNLIMITED;
    }

    private Amounts limit(Share share) {
        return share.limit().amounts(counted);
    }

    private int parallel(CapacityQueue queue) {
        int most = properties.count(
                queue.key(PARALLEL), properties.count(CapacityProperties.PREFIX + PARALLEL, Integer.MAX_VALUE));
        return Math.max(0, most);
    }

    private boolean stopped(CapacityQueue queue, boolean stoppedAbove) {
        String key = queue.key("state");
        String state = properties.get(key);
        if (state == null) {
            return stoppedAbove;
        }
        switch (state.toUpperCase(Locale.ROOT)) {
            case "STOPPED" -> {
                return true;
            }
            case "RUNNING" -> {
                if (stoppedAbove) {
                    properties.add(
                            key,
                            "must not be RUNNING, because a queue above it is STOPPED; stop this one too, or"
                                    + " let the one above run");
                }
                return false;
            }
            default -> {
                properties.add(key, "must be RUNNING or STOPPED");
                return false;
            }
        }
    }

    /**
     * A leaf without a number of its own may have the part of the cluster's number that its capacity is of the cluster.
     */
    @SuppressWarnings("ReferenceEquality") // a leaf may have as much as the root, and is not it
    private int maximumApplications(CapacityQueue queue, boolean leaf) {
        int cluster = properties.count(CapacityProperties.PREFIX + MAXIMUM_APPLICATIONS, 10_000);
        if (!leaf) {
            return queue.isRoot() ? Math.max(0, cluster) : Integer.MAX_VALUE;
        }
        int own = properties.count(queue.key(MAXIMUM_APPLICATIONS), -1);
        int each = properties.count(CapacityProperties.PREFIX + "global-queue-max-application", -1);
        BigDecimal part = queue.share(CapacityTree.NO_LABEL).capacity().part();
        if (own >= 0) {
            return own;
        }
        if (part == null) {
            return Integer.MAX_VALUE; // amounts: the part depends on the size of the cluster
        }
        if (each > 0) {
            return Math.min(each, cluster);
        }
        for (Share share : queue.shares.values()) {
            BigDecimal other = share == Share.ROOT ? null : share.capacity().part();
            part = other == null ? part : part.max(other);
        }
        int most = part.multiply(BigDecimal.valueOf(cluster)).intValue();
        if (most == 0) {
            properties.warn(
                    queue.key(CapacityTree.CAPACITY),
                    "lets no application in, as under CapacityScheduler: the queue may have this part of the " + cluster
                            + " applications of the cluster; set " + queue.key(MAXIMUM_APPLICATIONS));
        }
        return most;
    }

    // ---- labels ----

    private Set<String> labels(CapacityQueue queue, Set<String> above) {
        String text = properties.get(queue.key(CapacityTree.LABELS));
        if (queue.isRoot() || text == null) {
            return above;
        }
        Set<String> labels = new TreeSet<>(properties.list(queue.key(CapacityTree.LABELS)));
        return labels.contains("*") ? Set.of("*") : labels;
    }

    private String usualLabel(CapacityQueue queue) {
        for (CapacityQueue at = queue; at != null; at = at.parent) {
            String label = properties.get(at.key("default-node-label-expression"));
            if (label != null) {
                return label;
            }
        }
        return "";
    }

    private Map<String, LabelCapacity> labelCapacities(CapacityQueue queue) {
        Map<String, LabelCapacity> capacities = new TreeMap<>();
        queue.shares.forEach((label, share) -> {
            if (!label.isEmpty() && !queue.isRoot()) {
                Amounts guaranteed = share.capacity().guarantee(counted);
                Amounts most = share.hasLimit() ? share.limit().amounts(counted) : Amounts.UNLIMITED;
                if (!guaranteed.isUnlimited() || !most.isUnlimited()) {
                    capacities.put(label, new LabelCapacity(guaranteed, most));
                }
            }
        });
        return capacities;
    }

    /**
     * Weights alone give each queue its capacity; a guarantee is for preemption, and for what comes before priorities.
     */
    private Amounts guaranteed(CapacityQueue queue, Share share, String orderAbove) {
        boolean needed = preemption.isOn() || orderAbove.equals(CapacityOrders.PRIORITY);
        return needed && !queue.isRoot() ? share.capacity().guarantee(counted) : Amounts.UNLIMITED;
    }
}
