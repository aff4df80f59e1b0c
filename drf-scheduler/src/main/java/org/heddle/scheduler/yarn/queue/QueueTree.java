// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.model.ClusterRules;
import org.heddle.scheduler.model.NewQueues;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.model.Weights;
import org.heddle.scheduler.policy.ShareOrders;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All queues, by path, and their users; keeps them equal to the specification in force, and the engine's schedulables
 * equal to them. Changed under the scheduler's lock; read from any thread.
 * It is long because queues come and go for five reasons: the file, placement, plans, recovery and users.
 */
public final class QueueTree {
    private static final Logger LOG = LoggerFactory.getLogger(QueueTree.class);

    /** The queue of recovered applications without a configured queue. */
    static final String RECOVERED = "recovered";

    private record IdleUser(HeddleQueue leaf, String user) {}

    private final ShareEngine engine;
    private final ResourceVectors vectors;
    private final ShareOrders orders;
    private final RandomGenerator random;
    private final Configuration conf;
    private final String schedulerName;
    private final Map<String, HeddleQueue> byPath = new ConcurrentHashMap<>();
    /**
     * Users one of whose applications has left a leaf. Their metrics stay until the next housekeeping, so that a user
     * who submits one short application after the other does not cost their registration each time.
     */
    private final Set<IdleUser> idleUsers = new HashSet<>();

    private final HeddleQueue root;
    private final QueueLimits limits;
    private final QueueAccess access;
    private volatile SchedulerSpec spec;
    private long generation;

    public QueueTree(
            SchedulerSpec spec,
            ShareEngine engine,
            ResourceVectors vectors,
            ShareOrders orders,
            RandomGenerator random,
            Configuration conf,
            String schedulerName) {
        this.spec = spec;
        this.engine = engine;
        this.vectors = vectors;
        this.orders = orders;
        this.random = random;
        this.conf = conf;
        this.schedulerName = schedulerName;
        this.limits = new QueueLimits(this, engine, vectors);
        this.access = new QueueAccess(conf);
        this.root = new HeddleQueue(spec.root(), null, engine.root(), limits, access, conf, schedulerName);
        byPath.put(spec.root().path(), root);
        apply(spec);
    }

    public HeddleQueue root() {
        return root;
    }

    /** The engine that shares among the queues. */
    public ShareEngine engine() {
        return engine;
    }

    public ResourceVectors vectors() {
        return vectors;
    }

    public QueueLimits limits() {
        return limits;
    }

    public Collection<HeddleQueue> all() {
        return byPath.values();
    }

    /** At most ten leaf queues, for messages. */
    public List<String> someLeaves() {
        return byPath.values().stream()
                .filter(queue -> queue.isLeaf() && !queue.isDraining())
                .map(HeddleQueue::getQueueName)
                .sorted()
                .limit(10)
                .toList();
    }

    public SchedulerSpec spec() {
        return spec;
    }

    /** The queue of a path, with or without the leading {@code root.}, or of a last part if only one queue has it. */
    @Nullable
    public HeddleQueue find(@Nullable String name) {
        if (name == null || name.isEmpty()) {
            return null;
        }
        HeddleQueue exact = byPath.get(name);
        if (exact == null) {
            exact = byPath.get(root.getQueueName() + "." + name);
        }
        if (exact != null || name.indexOf('.') >= 0) {
            return exact;
        }
        HeddleQueue only = null;
        for (HeddleQueue queue : byPath.values()) {
            if (queue.spec().name().equals(name)) {
                if (only != null) {
                    return null;
                }
                only = queue;
            }
        }
        return only;
    }

    /** The queue of exactly this path. */
    @Nullable
    public HeddleQueue findExact(String path) {
        return byPath.get(path);
    }

    /** The queue of a path or, if there is none, the nearest one above it. */
    HeddleQueue nearest(String path) {
        String at = path;
        while (true) {
            HeddleQueue queue = byPath.get(at);
            int dot = at.lastIndexOf('.');
            if (queue != null || dot < 0) {
                return queue == null ? root : queue;
            }
            at = at.substring(0, dot);
        }
    }

    /** Whether the queue that is configured above a path allows so many levels of new queues. */
    boolean mayCreate(String path) {
        HeddleQueue at = nearest(path);
        HeddleQueue above = at.parent();
        while (at.isNew() && above != null) {
            at = above;
            above = at.parent();
        }
        if (at.isLeaf() || !path.startsWith(at.getQueueName() + ".")) {
            return false;
        }
        long levels = path.substring(at.getQueueName().length())
                .chars()
                .filter(letter -> letter == '.')
                .count();
        return levels <= at.spec().get(QueueSettings.MAX_NEW_QUEUE_LEVELS);
    }

    /**
     * An amount of a resource in whole smallest containers, as CapacityScheduler rounds limits of ApplicationMasters
     * up.
     */
    public long roundedUp(double amount, int resource) {
        int step = switch (vectors.names().get(resource)) {
            case "memory-mb" ->
                conf.getInt(
                        YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB,
                        YarnConfiguration.DEFAULT_RM_SCHEDULER_MINIMUM_ALLOCATION_MB);
            case "vcores" ->
                conf.getInt(
                        YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_VCORES,
                        YarnConfiguration.DEFAULT_RM_SCHEDULER_MINIMUM_ALLOCATION_VCORES);
            default -> 1;
        };
        int least = Math.max(1, step);
        return (long) Math.ceil((amount - 1e-6) / least) * least;
    }

    /** The name of a resource by its place in vectors. */
    public String resource(int index) {
        return vectors.names().get(index);
    }

    public ClusterRules rules() {
        return spec.rules();
    }

    @Nullable
    HeddleQueue findLeaf(@Nullable String name) {
        HeddleQueue queue = find(name);
        return queue != null && queue.isLeaf() ? queue : null;
    }

    /** Whether it is the queue of {@link #recoveryLeaf}. */
    public boolean isRecoveryLeaf(HeddleQueue queue) {
        return queue.parent() == root && queue.spec().name().equals(RECOVERED);
    }

    /**
     * Makes the queues equal to a specification against which there is no {@linkplain ReconfigurationCheck objection}.
     */
    public void apply(SchedulerSpec next) {
        spec = next;
        engine.setResourceWeights(vectors.resourceWeights(next.resourceWeights()));
        Map<String, QueueSpec> configured = new HashMap<>();
        next.root().all().forEach(queue -> configured.put(queue.path(), queue));
        List<HeddleQueue> gone = new ArrayList<>();
        collectGone(root, configured, gone);
        gone.forEach(this::drop);
        applyTo(root, next.root());
        NewQueues newQueues = next.rules().newQueues();
        for (HeddleQueue queue : List.copyOf(byPath.values())) {
            boolean planned = ReconfigurationCheck.staysPlanned(queue, configured);
            queue.setPlanned(planned);
            if (!planned && !configured.containsKey(queue.getQueueName())) {
                keep(queue, newQueues);
            }
        }
        publishAccess();
        limits.changed();
    }

    /** Keeps a queue that is not configured until its last application has ended. */
    private void keep(HeddleQueue queue, @Nullable NewQueues newQueues) {
        HeddleQueue parent = queue.parent();
        if (parent == null || (isRecoveryLeaf(queue) && newQueues == null)) {
            return;
        }
        boolean drains = ReconfigurationCheck.drains(queue, newQueues);
        if (drains && !queue.isDraining()) {
            LOG.info(
                    "Queue {} is no longer configured; it is removed when its {} applications have ended",
                    queue,
                    queue.applications().size());
        }
        queue.setDraining(drains);
        queue.setNew(!drains);
        if (newQueues != null && !drains) {
            settings(queue, newQueues.inside(parent.spec(), queue.spec().name(), !queue.isLeaf()));
        }
    }

    /** Changes whenever a queue is added or removed. */
    public long generation() {
        return generation;
    }

    public void drop(HeddleQueue queue) {
        generation++;
        byPath.remove(queue.getQueueName());
        HeddleQueue parent = queue.parent();
        if (parent != null) {
            parent.forgetChild(queue);
        }
        engine.remove(queue.schedulable());
        queue.unregisterMetrics();
        limits.changed();
    }

    /**
     * Creates the leaf of a path that is not configured, with the missing queues above it; null if new queues are not
     * allowed, a queue above is a leaf, the path is not valid, or the configuration forbids a queue there.
     */
    @Nullable
    public HeddleQueue makeLeaf(String path) {
        NewQueues newQueues = spec.rules().newQueues();
        HeddleQueue at = nearest(path);
        String above = at.getQueueName() + ".";
        if (newQueues == null || at.isLeaf() || !path.startsWith(above) || !mayCreate(path)) {
            return null;
        }
        String[] names = path.substring(above.length()).split("\\.", -1);
        for (String name : names) {
            if (name.isEmpty() || !name.equals(name.strip())) {
                return null;
            }
        }
        if (newQueues.never().stream().anyMatch(never -> path.equals(never) || path.startsWith(never + "."))) {
            return null;
        }
        for (int i = 0; i < names.length; i++) {
            at = create(newQueues.inside(at.spec(), names[i], i < names.length - 1), at);
            at.setNew(true);
        }
        publishAccess();
        limits.changed();
        return at;
    }

    /** Makes a queue inside a plan equal to the specification, or creates it; it stays until it is dropped. */
    public void plan(HeddleQueue plan, QueueSpec wanted) {
        HeddleQueue present = byPath.get(wanted.path());
        HeddleQueue queue = present == null ? create(wanted, plan) : present;
        queue.setNew(false);
        queue.setPlanned(true);
        settings(queue, wanted);
        publishAccess();
        limits.changed();
    }

    private void publishAccess() {
        access.publish(byPath.values(), spec.rules().likeFairScheduler());
    }

    /**
     * Drops empty queues that no configuration has: created for an application, or removed; the innermost first. Also
     * the metrics of users that have no more application.
     */
    public void dropEmptyNewQueues() {
        idleUsers.forEach(idle -> idle.leaf().forgetMetricsIfIdle(idle.user()));
        idleUsers.clear();
        List<HeddleQueue> innermostFirst = new ArrayList<>(byPath.values());
        innermostFirst.sort(Comparator.comparing((HeddleQueue queue) ->
                        queue.getQueueName().chars().filter(c -> c == '.').count())
                .reversed());
        for (HeddleQueue queue : innermostFirst) {
            if ((queue.isNew() || queue.isDraining())
                    && queue.children().isEmpty()
                    && queue.applications().isEmpty()) {
                drop(queue);
            }
        }
    }

    /** Children before parents. */
    private void collectGone(HeddleQueue queue, Map<String, QueueSpec> configured, List<HeddleQueue> gone) {
        for (HeddleQueue child : queue.children()) {
            collectGone(child, configured, gone);
        }
        boolean kept = configured.containsKey(queue.getQueueName())
                || ReconfigurationCheck.staysPlanned(queue, configured)
                || !queue.applications().isEmpty();
        if (!kept) {
            gone.add(queue);
        }
    }

    private void applyTo(HeddleQueue queue, QueueSpec wanted) {
        queue.setNew(false);
        queue.setDraining(false);
        settings(queue, wanted);
        for (QueueSpec child : wanted.children()) {
            HeddleQueue present = byPath.get(child.path());
            applyTo(present == null ? create(child, queue) : present, child);
        }
    }

    private void settings(HeddleQueue queue, QueueSpec wanted) {
        queue.setSpec(wanted);
        engine.setOrder(queue.schedulable(), orders.create(wanted.order(), random));
        engine.setPriority(queue.schedulable(), wanted.get(QueueSettings.PRIORITY));
        if (queue.parent() != null) {
            engine.setWeight(queue.schedulable(), weights(wanted.weights()));
        } else {
            engine.setWeight(queue.schedulable(), weights(Weights.ONE));
        }
        queue.users().forEach((user, schedulable) -> {
            engine.setWeight(schedulable, weights(wanted.userWeights().getOrDefault(user, Weights.ONE)));
            engine.setOrder(schedulable, orders.create(wanted.userOrder(), random));
        });
    }

    private HeddleQueue create(QueueSpec wanted, HeddleQueue parent) {
        Schedulable schedulable = engine.addGroup(
                parent.schedulable(), wanted.name(), orders.create(wanted.order(), random), weights(wanted.weights()));
        HeddleQueue queue = new HeddleQueue(wanted, parent, schedulable, limits, access, conf, schedulerName);
        queue.setSpec(wanted);
        engine.setPriority(schedulable, wanted.get(QueueSettings.PRIORITY));
        byPath.put(wanted.path(), queue);
        generation++;
        return queue;
    }

    private double[] weights(Weights weights) {
        return vectors.weights(weights);
    }

    /** The leaf for recovered applications that have no other queue; created when first needed. */
    public HeddleQueue recoveryLeaf() {
        if (root.isLeaf()) {
            return root;
        }
        HeddleQueue present = byPath.get(root.getQueueName() + "." + RECOVERED);
        if (present != null) {
            return present;
        }
        QueueSpec model = root.spec();
        limits.changed();
        return create(
                QueueSpec.at(root.getQueueName() + "." + RECOVERED)
                        .with(QueueSettings.ORDER, model.order())
                        .with(QueueSettings.USER_ORDER, model.userOrder())
                        .with(QueueSettings.MAX_AM_SHARE, 1.0)
                        .with(QueueSettings.DIVIDE_BY, model.get(QueueSettings.DIVIDE_BY)),
                root);
    }

    /** The parent of a user's applications in a leaf: the user, created when first needed, or the leaf itself. */
    public Schedulable user(HeddleQueue leaf, String user) {
        if (leaf.spec().get(QueueSettings.DIVIDE_BY) == QueueSpec.Division.APPLICATIONS) {
            return leaf.schedulable();
        }
        Schedulable present = leaf.users().get(user);
        if (present != null) {
            return present;
        }
        Schedulable added = engine.addGroup(
                leaf.schedulable(),
                user,
                orders.create(leaf.spec().userOrder(), random),
                weights(leaf.spec().userWeights().getOrDefault(user, Weights.ONE)));
        limits.limitUser(added, limits.perUser(leaf));
        leaf.addUser(user, added);
        return added;
    }

    /** Removes a user that has no more application in a leaf; its metrics go with the next round of housekeeping. */
    public void dropUserIfIdle(HeddleQueue leaf, String user) {
        idleUsers.add(new IdleUser(leaf, user));
        Schedulable schedulable = leaf.users().get(user);
        if (schedulable != null && schedulable.children().isEmpty()) {
            engine.remove(schedulable);
            leaf.removeUser(user);
        }
    }
}
