// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.reservation;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.Lock;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ReservationId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerDynamicEditException;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.QueueEntitlement;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.model.Amounts;
import org.heddle.scheduler.model.NewQueues;
import org.heddle.scheduler.model.Plan;
import org.heddle.scheduler.model.QueueSetting;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.Weights;
import org.heddle.scheduler.policy.WeightedShares;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.heddle.scheduler.yarn.queue.QueueTree;
import org.jspecify.annotations.Nullable;

/**
 * The queues that take reservations, and inside each of them one queue for each reservation. It takes the scheduler's
 * lock itself, because YARN's reservation system calls it from its own threads.
 *
 * <p>The queue of a reservation has the reserved part of its plan as weight and as guarantee, so it is served before
 * its siblings until it has that part. The queue for applications without a reservation has the rest as weight.
 */
public final class PlanQueues {
    /** Smaller weights count as 0, so that rounding errors leave no tiny shares. */
    private static final double NOTHING = 1e-6;
    /** The default part of each queue for ApplicationMasters. */
    private static final double MAX_AM_SHARE = 0.5;

    private final QueueTree queues;
    private final ShareEngine engine;
    private final ResourceVectors vectors;
    private final Lock lock;

    public PlanQueues(QueueTree queues, ShareEngine engine, ResourceVectors vectors, Lock lock) {
        this.queues = queues;
        this.engine = engine;
        this.vectors = vectors;
        this.lock = lock;
    }

    /** Paths of all queues that take reservations. */
    public Set<String> paths() {
        Set<String> paths = new TreeSet<>();
        for (HeddleQueue queue : queues.all()) {
            if (queue.spec().isPlan()) {
                paths.add(queue.getQueueName());
            }
        }
        return paths;
    }

    /** The queue of this name if it takes reservations. */
    @Nullable
    HeddleQueue find(@Nullable String name) {
        HeddleQueue queue = queues.find(name);
        return queue != null && queue.spec().isPlan() ? queue : null;
    }

    /** The reservation settings of a queue; the defaults if the queue takes no reservations any more. */
    Plan terms(@Nullable String name) {
        HeddleQueue queue = find(name);
        Plan plan = queue == null ? null : queue.spec().plan();
        return plan == null ? Plan.DEFAULT : plan;
    }

    static String defaultOf(HeddleQueue plan) {
        return plan.getQueueName() + "." + plan.spec().name() + Plan.DEFAULT_SUFFIX;
    }

    /**
     * The capacity that a plan can promise: its part, by weight among all configured siblings, busy or not, of the
     * capacity of its parent; at least its guarantee and at most its limit.
     */
    Resource capacity(HeddleQueue plan) {
        lock.lock();
        try {
            double[] share = steady(plan);
            long[] whole = new long[share.length];
            for (int j = 0; j < whole.length; j++) {
                whole[j] = (long) Math.floor(share[j] + 1e-6);
            }
            return vectors.toResource(whole);
        } finally {
            lock.unlock();
        }
    }

    private double[] steady(HeddleQueue queue) {
        double[] share = new double[vectors.size()];
        HeddleQueue parent = queue.parent();
        double[] above = parent == null ? null : steady(parent);
        List<HeddleQueue> siblings = parent == null ? List.of() : parent.children();
        for (int j = 0; j < share.length; j++) {
            share[j] = above == null ? engine.capacity(j) : part(queue, siblings, above[j], j);
        }
        return share;
    }

    private double part(HeddleQueue queue, List<HeddleQueue> siblings, double total, int resource) {
        double[] weight = new double[siblings.size()];
        double[] least = new double[siblings.size()];
        double[] most = new double[siblings.size()];
        for (int i = 0; i < weight.length; i++) {
            QueueSpec spec = siblings.get(i).spec();
            long[] limit = queues.limits().of(spec);
            weight[i] = siblings.get(i).schedulable().weight(resource);
            least[i] = (double)
                    spec.protection().guaranteed().guarantee(queues.resource(resource), engine.capacity(resource));
            most[i] = Math.max(least[i], limit == null ? total : Math.min(total, (double) limit[resource]));
        }
        return WeightedShares.of(total, weight, least, most)[siblings.indexOf(queue)];
    }

    /** The part of its plan that a reservation's queue was given in the last round; null if there is no such queue. */
    @Nullable
    Resource promised(HeddleQueue plan, String name) {
        lock.lock();
        try {
            HeddleQueue queue = queues.findExact(plan.getQueueName() + "." + name);
            long[] guarantee;
            if (queue == null) {
                guarantee = null;
            } else {
                guarantee = vectors.limit(queue.spec().protection().guaranteed(), new long[vectors.size()]);
            }
            if (queue == null) {
                return null;
            }
            return vectors.toResource(guarantee == null ? new long[vectors.size()] : guarantee);
        } finally {
            lock.unlock();
        }
    }

    /** Creates a queue inside a plan, with no share yet, unless it exists. */
    void add(HeddleQueue plan, String name) {
        lock.lock();
        try {
            HeddleQueue present = queues.findExact(plan.getQueueName() + "." + name);
            if (present == null || !present.isPlanned()) {
                queues.plan(plan, spec(plan, name, 0, 1));
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sets the part of a queue inside a plan.
     *
     * @throws SchedulerDynamicEditException one sentence, if there is no such queue
     */
    public void entitle(String path, QueueEntitlement part) throws SchedulerDynamicEditException {
        lock.lock();
        try {
            HeddleQueue queue = planned(path);
            entitle(queue, plan(queue), part);
        } finally {
            lock.unlock();
        }
    }

    /** Sets the parts of queues inside plans, all at once; queues that no longer exist are skipped. */
    public void entitle(Map<String, QueueEntitlement> parts) {
        lock.lock();
        try {
            parts.forEach((path, part) -> {
                HeddleQueue queue = queues.findExact(path);
                HeddleQueue plan = queue == null ? null : queue.parent();
                if (queue != null && plan != null && queue.isPlanned()) {
                    entitle(queue, plan, part);
                }
            });
        } finally {
            lock.unlock();
        }
    }

    private void entitle(HeddleQueue queue, HeddleQueue plan, QueueEntitlement part) {
        queues.plan(plan, spec(plan, queue.spec().name(), part.getCapacity(), part.getMaxCapacity()));
    }

    /**
     * Removes the queue of a reservation that has ended.
     *
     * @throws SchedulerDynamicEditException one sentence, if there is no such queue or it is still in use
     */
    public void remove(String path) throws SchedulerDynamicEditException {
        lock.lock();
        try {
            HeddleQueue queue = planned(path);
            int applications = queue.applications().size();
            if (applications > 0) {
                throw new SchedulerDynamicEditException("Queue " + path + " cannot be removed: it has " + applications
                        + " applications; move them or wait for their end");
            }
            queues.drop(queue);
        } finally {
            lock.unlock();
        }
    }

    private HeddleQueue planned(String path) throws SchedulerDynamicEditException {
        HeddleQueue queue = queues.find(path);
        if (queue == null || !queue.isPlanned()) {
            throw new SchedulerDynamicEditException(
                    "Queue " + path + " stands for no reservation, so its part cannot be changed while it runs;"
                            + " change it in the configuration");
        }
        return queue;
    }

    private static HeddleQueue plan(HeddleQueue planned) {
        HeddleQueue plan = planned.parent();
        if (plan == null) {
            throw new IllegalStateException(planned + " is the root and cannot be planned");
        }
        return plan;
    }

    private QueueSpec spec(HeddleQueue plan, String name, double part, double most) {
        Map<String, Long> promised = new LinkedHashMap<>();
        Map<String, Long> limit = new LinkedHashMap<>();
        Resource capacity = capacity(plan);
        boolean unreserved = name.endsWith(Plan.DEFAULT_SUFFIX);
        for (String resource : vectors.names()) {
            long whole = capacity.getResourceValue(resource);
            if (!unreserved) {
                promised.put(resource, Math.round(part * whole));
            }
            if (most < 1) {
                limit.put(resource, Math.round(most * whole));
            }
        }
        NewQueues rules = queues.rules().newQueues();
        QueueSpec above = plan.spec();
        QueueSpec queue = above.inside(name);
        if (rules == null) {
            queue = queue.with(QueueSettings.ORDER, above.order())
                    .with(QueueSettings.USER_ORDER, above.userOrder())
                    .with(QueueSettings.MAX_AM_SHARE, MAX_AM_SHARE);
        } else {
            queue = queue.like(rules.template(), QueueSetting.Trait.FOR_NEW_QUEUES)
                    .with(QueueSettings.MAX_RUNNING_APPS, Integer.MAX_VALUE);
        }
        return queue.with(QueueSettings.WEIGHT, Weights.of(part < NOTHING ? 0 : part))
                .with(QueueSettings.MAX_RESOURCES, new Amounts(limit, Map.of()))
                .with(QueueSettings.GUARANTEED_RESOURCES, new Amounts(promised, Map.of()));
    }

    /**
     * The queue that an application names; on recovery its plan, if the reservation's queue no longer exists. The
     * caller holds the scheduler's lock.
     */
    @Nullable
    public HeddleQueue meant(@Nullable String path, boolean recovering) {
        HeddleQueue named = queues.find(path);
        int dot = path == null ? -1 : path.lastIndexOf('.');
        return named == null && recovering && path != null && dot > 0 ? find(path.substring(0, dot)) : named;
    }

    /**
     * The path of the queue for an application that was submitted to a plan. The caller holds the scheduler's lock.
     *
     * @throws YarnException one sentence, if its reservation is not active now
     */
    public String place(HeddleQueue plan, ApplicationId id, @Nullable ReservationId reservation, boolean recovering)
            throws YarnException {
        if (reservation == null) {
            return defaultQueue(plan);
        }
        HeddleQueue reserved = queues.findExact(plan.getQueueName() + "." + reservation);
        if (reserved != null && reserved.isPlanned()) {
            return reserved.getQueueName();
        }
        if (recovering) {
            return defaultQueue(plan); // its reservation ended while no ResourceManager was running
        }
        throw new YarnException("Application " + id + " is refused: reservation " + reservation + " is not in force in "
                + plan.getQueueName() + " now; submit it between the reservation's start and end");
    }

    /** Whether an application in this queue must end with the reservation with which it was submitted. */
    public boolean hasLost(HeddleQueue leaf, @Nullable ReservationId reservation) {
        HeddleQueue plan = leaf.parent();
        return reservation != null
                && plan != null
                && leaf.getQueueName().equals(defaultOf(plan))
                && !terms(plan.getQueueName()).moves();
    }

    /** The queue for applications without a reservation; created now if no reservation system has created it. */
    private String defaultQueue(HeddleQueue plan) {
        String path = defaultOf(plan);
        if (queues.findExact(path) == null) {
            queues.plan(plan, spec(plan, path.substring(plan.getQueueName().length() + 1), 1, 1));
        }
        return path;
    }
}
