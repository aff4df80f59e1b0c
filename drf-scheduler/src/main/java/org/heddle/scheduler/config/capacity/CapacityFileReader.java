// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.capacity;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.SchedulerKeys;
import org.heddle.scheduler.config.SpecLocation;
import org.heddle.scheduler.config.site.SiteFile;
import org.heddle.scheduler.config.site.SiteSettings;
import org.heddle.scheduler.config.xml.Problems;
import org.heddle.scheduler.model.ClusterRules;
import org.heddle.scheduler.model.LocalityDelay;
import org.heddle.scheduler.model.MinimumOffer;
import org.heddle.scheduler.model.NewQueues;
import org.heddle.scheduler.model.QueueSetting;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.model.SchedulingDelays;

/**
 * Reads the configuration of a CapacityScheduler, unchanged. What CapacityScheduler refuses is an error; what it
 * ignores, and what has no counterpart here, is a warning with the reason.
 */
public final class CapacityFileReader {
    /** The file's name on the class path. */
    public static final String DEFAULT_FILE = "capacity-scheduler.xml";

    private static final String CALCULATOR = CapacityProperties.PREFIX + "resource-calculator";
    private static final String DOMINANT = "DominantResourceCalculator";
    private static final String MEMORY_CALCULATOR = "DefaultResourceCalculator";
    private static final String NODE_DELAY = CapacityProperties.PREFIX + "node-locality-delay";
    private static final String HEARTBEAT = CapacityProperties.PREFIX + "per-node-heartbeat.";
    private static final String USERS = CapacityProperties.PREFIX + "user.";
    private static final String PARALLEL = "max-parallel-apps";
    private static final String STORE = "yarn.scheduler.configuration.store.class";
    private static final Set<String> STORES = Set.of("memory", "fs", "zk");
    private static final String HIGHEST_PRIORITY = "yarn.cluster.max-application-priority";

    /** Settings that nothing sets in the file that every Hadoop brings along. */
    private static final Set<QueueSetting<?>> RESTRICTIONS = Set.of(
            QueueSettings.PRIORITIES,
            QueueSettings.MAX_CONTAINER,
            QueueSettings.PLAN,
            QueueSettings.MAX_RESOURCES,
            QueueSettings.MAX_RESOURCES_PER_USER,
            QueueSettings.MAX_RUNNING_APPS,
            QueueSettings.MAX_APPLICATION_LIFETIME,
            QueueSettings.NODE_LABELS,
            QueueSettings.DEFAULT_NODE_LABEL,
            QueueSettings.LABEL_CAPACITIES);

    private final KnownNames names;
    private final SiteSettings site;
    private final CapacityProperties properties;
    private final boolean isStored;
    private final boolean memoryOnly;

    public CapacityFileReader(SiteFile file, KnownNames names, SiteSettings site, Problems problems) {
        this.names = names;
        this.site = site;
        this.properties = new CapacityProperties(file, site, problems);
        this.isStored = file.path().toString().startsWith(SpecLocation.STORE);
        this.memoryOnly = memoryOnly();
    }

    /** Whether {@code yarn-site.xml} has queues of a CapacityScheduler. */
    public static boolean isUsed(SiteSettings site) {
        String queues = site.get(CapacityTree.ROOT_QUEUES);
        return queues != null && !queues.isBlank();
    }

    /** The prefix of CapacityScheduler's keys. */
    public static String prefix() {
        return CapacityProperties.PREFIX;
    }

    /** The specification; the problems that the constructor was given have the errors. */
    public SchedulerSpec read() {
        checkStore();
        Set<String> counted =
                memoryOnly ? Set.of("memory-mb") : names.resources().keySet();
        CapacityQueue root = new CapacityTree(properties, names.resources()).read();
        CapacityPlacement placement = new CapacityPlacement(properties, root);
        CapacityOrders orders = new CapacityOrders(properties, memoryOnly);
        CapacityPreemption preemption = new CapacityPreemption(site, properties);
        CapacityAccess access = new CapacityAccess(properties, highestPriority());
        CapacityQueueReader reader =
                new CapacityQueueReader(properties, access, preemption, orders, counted, names.resources(), root);
        SchedulerSpec spec = new SchedulerSpec(
                reader.read(),
                Map.of(),
                placement.read(),
                delays(),
                preemption.settings(),
                rules(orders, root.createsQueues()),
                maxAssign());
        new CapacityLeftovers(properties, root).report();
        return spec;
    }

    /**
     * Whether a specification says no more than the file that every Hadoop brings along: one leaf for everybody, with
     * all of the cluster.
     */
    public static boolean saysNothing(SchedulerSpec spec) {
        QueueSpec root = spec.root();
        if (root.children().size() != 1 || spec.placement().size() > 2) {
            return false;
        }
        QueueSpec leaf = root.children().get(0);
        return leaf.isLeaf()
                && leaf.name().equals("default")
                && root.submit().everyone()
                && root.all().noneMatch(CapacityFileReader::restricts)
                && leaf.userWeights().isEmpty()
                && spec.rules().maxRunningAppsPerUser() == Integer.MAX_VALUE
                && spec.rules().maxRunningAppsOfUser().isEmpty();
    }

    private static boolean restricts(QueueSpec queue) {
        return queue.get(QueueSettings.STOPPED)
                || queue.get(QueueSettings.MAX_APPLICATIONS) < 10_000
                || RESTRICTIONS.stream().anyMatch(queue.values()::containsKey);
    }

    private boolean memoryOnly() {
        return properties.value(
                CALCULATOR,
                text -> switch (text.substring(text.lastIndexOf('.') + 1)) {
                    case DOMINANT -> false;
                    case MEMORY_CALCULATOR -> true;
                    default ->
                        throw new IllegalArgumentException(
                                "must be one of Hadoop's two, org.apache.hadoop.yarn.util.resource." + MEMORY_CALCULATOR
                                        + " or " + DOMINANT);
                },
                true);
    }

    /** What stands in a store counts in place of the file, which fills it once. */
    private void checkStore() {
        String store = properties.get(STORE);
        if (store == null || store.equals("file") || isStored) {
            return;
        }
        if (site.get(SchedulerKeys.CONFIGURATION_FILE.name()) != null) {
            properties.warn(
                    STORE,
                    "has no effect, because " + SchedulerKeys.CONFIGURATION_FILE.name()
                            + " names a file: that counts, and not this store");
        } else if (STORES.contains(store)) {
            properties.warn(
                    STORE,
                    "makes the queues of that store count: this file only fills it while it is empty"
                            + " (GET /ws/v1/cluster/scheduler-conf shows what is in force)");
        } else {
            properties.add(
                    STORE,
                    "must be file, memory, fs or zk here; a leveldb of CapacityScheduler's is not read: write what GET"
                            + " /ws/v1/cluster/scheduler-conf shows into " + DEFAULT_FILE + " before the switch");
        }
    }

    private int highestPriority() {
        int highest = properties.count(HIGHEST_PRIORITY, 0);
        return Math.max(0, highest);
    }

    /** -1 or 0: no wait for locality. Other numbers are of heartbeats, which are no measure here. */
    private SchedulingDelays delays() {
        SchedulingDelays usual = SchedulingDelays.DEFAULT;
        String delay = properties.get(NODE_DELAY);
        boolean none = delay != null && properties.count(NODE_DELAY, 40) <= 0;
        if (delay != null && !none && properties.count(NODE_DELAY, 40) != 40) {
            properties.warn(
                    NODE_DELAY,
                    "has no effect: a request waits a second for a node that it names, whatever the number of"
                            + " heartbeats");
        }
        LocalityDelay locality = none ? LocalityDelay.Time.NONE : usual.locality();
        return new SchedulingDelays(locality, usual.reservation(), usual.maxReservedNodes());
    }

    private int maxAssign() {
        boolean several = properties.is(HEARTBEAT + "multiple-assignments-enabled", true);
        int most = properties.count(HEARTBEAT + "maximum-container-assignments", 100);
        if (!several) {
            return 1;
        }
        return most <= 0 || most == 100 ? Integer.MAX_VALUE : most;
    }

    private ClusterRules rules(CapacityOrders orders, boolean createsQueues) {
        ClusterRules usual = ClusterRules.DEFAULT;
        Map<String, Integer> ofUser = new HashMap<>();
        String end = "." + PARALLEL;
        for (String key : properties.names(USERS)) {
            if (key.endsWith(end) && key.length() > USERS.length() + end.length()) {
                String user = key.substring(USERS.length(), key.length() - end.length());
                ofUser.put(user, Math.max(0, properties.count(key, Integer.MAX_VALUE)));
            }
        }
        return new ClusterRules(
                ClusterRules.Compatibility.CAPACITY_SCHEDULER,
                createsQueues ? newQueues(orders) : null,
                ofUser,
                Math.max(0, properties.count(USERS + PARALLEL, Integer.MAX_VALUE)),
                memoryOnly,
                false,
                Map.of(),
                false,
                MinimumOffer.OFF,
                usual.allocation(),
                usual.usageHalfLifeMillis());
    }

    private static NewQueues newQueues(CapacityOrders orders) {
        return new NewQueues(
                NewQueues.DEFAULTS.with(QueueSettings.ORDER, orders.usual()).with(QueueSettings.USER_ORDER, "fifo"),
                Set.of());
    }
}
