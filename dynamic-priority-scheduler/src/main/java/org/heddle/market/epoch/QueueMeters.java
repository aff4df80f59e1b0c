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
import org.heddle.market.model.status.QueueState;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.policy.ShareOrder;

/**
 * The queues that the market meters and steers, each with its claim in the engine and its place on the floor, so that a
 * boundary looks nothing up. Guarded by the scheduler's lock.
 */
public final class QueueMeters {
    private final EpochMeter floor;
    private final WeightUpdater steering;
    private final LongSupplier clock;
    private final UnaryOperator<String> nameOf;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final List<Parent> parents = new ArrayList<>();

    /** A queue that takes applications. */
    private static final class Entry {
        final Schedulable claim;
        final QueueMeter queue;
        final ShareOrder whenItPays;
        Parent[] above = {};

        Entry(Schedulable claim, QueueMeter queue, ShareOrder whenItPays) {
            this.claim = claim;
            this.queue = queue;
            this.whenItPays = whenItPays;
        }
    }

    /** A queue above others, below the root: weighs what those weigh that stand in it. */
    private static final class Parent {
        final Schedulable claim;
        double weight;
        boolean pays;

        Parent(Schedulable claim) {
            this.claim = claim;
        }
    }

    /**
     * @param clock the floor's: monotonic, milliseconds
     * @param nameOf what a queue of a path is called on the floor
     */
    public QueueMeters(ShareEngine engine, EpochMeter floor, LongSupplier clock, UnaryOperator<String> nameOf) {
        this.floor = floor;
        this.steering = new WeightUpdater(engine, floor);
        this.clock = clock;
        this.nameOf = nameOf;
    }

    public Iterable<String> paths() {
        return entries.keySet();
    }

    /**
     * Meters these queues and no others from now on.
     *
     * @param leaves claims by path
     * @param orders by path, how a queue serves its own applications while it pays
     */
    public void take(Map<String, Schedulable> leaves, Function<String, ShareOrder> orders) {
        entries.entrySet().removeIf(each -> {
            boolean gone = !leaves.containsKey(each.getKey());
            if (gone) {
                floor.close(nameOf.apply(each.getKey()));
            }
            return gone;
        });
        Map<Schedulable, Parent> known = new HashMap<>();
        parents.clear();
        leaves.forEach((path, claim) -> {
            Entry entry = new Entry(claim, meter(path, claim), orders.apply(path));
            List<Parent> above = new ArrayList<>();
            for (Schedulable at = claim.parent(); at != null && at.parent() != null; at = at.parent()) {
                above.add(known.computeIfAbsent(at, this::parent));
            }
            entry.above = above.toArray(Parent[]::new);
            entries.put(path, entry);
        });
    }

    private Parent parent(Schedulable claim) {
        Parent parent = new Parent(claim);
        parents.add(parent);
        return parent;
    }

    private QueueMeter meter(String path, Schedulable claim) {
        long now = clock.getAsLong();
        QueueMeter queue = floor.queue(nameOf.apply(path), now);
        Entry before = entries.get(path);
        if (before == null || !before.claim.equals(claim)) {
            floor.used(queue, now, claim.usage());
            claim.meter(usage -> floor.used(queue, clock.getAsLong(), usage));
        }
        return queue;
    }

    /** Tells the floor what every queue holds and waits for. */
    public void noteDemand() {
        for (Entry entry : entries.values()) {
            entry.queue.demand(entry.claim.running(), entry.claim.pending());
        }
    }

    /** Sets weights and orders of all queues: of those in the roster as the floor says, of those above as these add up. */
    public void steer() {
        for (Parent parent : parents) {
            parent.weight = 0;
            parent.pays = false;
        }
        for (Entry entry : entries.values()) {
            double weight = steering.steer(entry.claim, entry.queue, entry.whenItPays);
            for (Parent parent : entry.above) {
                parent.weight += weight;
                parent.pays |= entry.queue.state() == QueueState.PAYING;
            }
        }
        for (Parent parent : parents) {
            steering.weigh(parent.claim, parent.weight, parent.pays);
        }
    }
}
