// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.policy.ShareOrder;

/**
 * The queues that the market measures, each with its node in the engine's tree and its meter, so that an epoch change
 * needs no lookup. Guarded by the scheduler's lock.
 */
public final class QueueMeters {
    private final EpochMeter epoch;
    private final WeightUpdater weights;
    private final LongSupplier clock;
    private final UnaryOperator<String> nameOf;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final List<Parent> parents = new ArrayList<>();
    private final Map<String, ApplicationMeter> applications = new HashMap<>();

    /** A leaf queue. */
    private record Entry(
            Schedulable schedulable, QueueMeter queue, MeteredQueue meter, ShareOrder whenItPays, List<Parent> above) {}

    /** A parent queue below the root; its weight is the sum of the weights below it. */
    private static final class Parent {
        final Schedulable schedulable;
        final MeteredParent meter = new MeteredParent();
        double weight;

        Parent(Schedulable schedulable) {
            this.schedulable = schedulable;
            schedulable.setMeter(meter);
        }
    }

    /**
     * @param clock of the epoch meter: monotonic, milliseconds
     * @param nameOf maps the path of a queue to its name in the market
     */
    public QueueMeters(ShareEngine engine, EpochMeter epoch, LongSupplier clock, UnaryOperator<String> nameOf) {
        this.epoch = epoch;
        this.weights = new WeightUpdater(engine, epoch);
        this.clock = clock;
        this.nameOf = nameOf;
    }

    public Iterable<String> paths() {
        return entries.keySet();
    }

    /**
     * Replaces the measured queues.
     *
     * @param leaves the engine's nodes by path
     * @param orderOf the order among a queue's own applications while it pays, by path
     */
    public void setQueues(Map<String, Schedulable> leaves, Function<String, ShareOrder> orderOf) {
        entries.entrySet().removeIf(each -> {
            boolean gone = !leaves.containsKey(each.getKey());
            if (gone) {
                epoch.remove(nameOf.apply(each.getKey()));
            }
            return gone;
        });
        Map<Schedulable, Parent> known = new HashMap<>();
        parents.clear();
        leaves.forEach((path, schedulable) -> {
            List<Parent> above = new ArrayList<>();
            for (Schedulable at = schedulable.parent(); at != null && at.parent() != null; at = at.parent()) {
                above.add(known.computeIfAbsent(at, this::parent));
            }
            MeteredQueue meter = meter(path, schedulable);
            above.forEach(parent -> parent.meter.add(meter));
            QueueMeter queue = epoch.queue(nameOf.apply(path), clock.getAsLong());
            entries.put(path, new Entry(schedulable, queue, meter, orderOf.apply(path), above));
        });
    }

    private Parent parent(Schedulable schedulable) {
        Parent parent = new Parent(schedulable);
        parents.add(parent);
        return parent;
    }

    private MeteredQueue meter(String path, Schedulable schedulable) {
        Entry before = entries.get(path);
        if (before != null && before.schedulable.equals(schedulable)) {
            return before.meter;
        }
        long now = clock.getAsLong();
        QueueMeter queue = epoch.queue(nameOf.apply(path), now);
        epoch.setUsage(queue, now, schedulable.usage());
        MeteredQueue meter = new MeteredQueue(epoch, queue, clock);
        schedulable.setMeter(meter);
        return meter;
    }

    /**
     * Measures an application from now on. An application that was measured before has got another queue or
     * schedulable.
     *
     * @param path of its leaf queue
     * @param id of the application
     * @param name given by its user
     */
    public void measure(Schedulable schedulable, String path, String id, String name, String user) {
        ended(id);
        long now = clock.getAsLong();
        ApplicationMeter meter = new ApplicationMeter(id, name, user, now);
        meter.setUsage(now, schedulable.usage(), epoch.scale());
        schedulable.setMeter(usage -> meter.setUsage(clock.getAsLong(), usage, epoch.scale()));
        epoch.queue(nameOf.apply(path), now).applications().add(meter);
        applications.put(id, meter);
    }

    /** An application has ended or left its queue. It is forgotten when the epoch ends. */
    public void ended(String id) {
        ApplicationMeter meter = applications.remove(id);
        if (meter != null) {
            meter.end();
        }
    }

    /** Updates the running and pending containers of all meters, and whether limits allow them more. */
    public void updateDemand() {
        epoch.advance(clock.getAsLong());
        for (Entry entry : entries.values()) {
            Schedulable queue = entry.schedulable;
            long pending = queue.pending();
            entry.queue.setDemand(queue.running(), pending, pending > 0 && queue.mayHoldMore());
        }
        epoch.demandsAreSet();
    }

    /**
     * Sorts the paying queues that ask for containers by their present lags. The engine itself updates the place of a
     * queue whenever a container of it starts or ends; the lags of the others change as time passes.
     */
    public void updatePlaces() {
        for (Entry entry : entries.values()) {
            if (entry.queue.pending() > 0 && entry.meter.pays()) {
                weights.updatePlace(entry.schedulable);
            }
        }
    }

    /** Sets weights and orders of all leaf queues as the epoch meter says, and those of their parents as the sums. */
    public void updateWeights() {
        for (Parent parent : parents) {
            parent.weight = 0;
        }
        for (Entry entry : entries.values()) {
            double weight = weights.update(entry.schedulable, entry.queue, entry.whenItPays);
            for (Parent parent : entry.above) {
                parent.weight += weight;
            }
        }
        for (Parent parent : parents) {
            weights.setWeight(parent.schedulable, parent.weight);
        }
    }
}
