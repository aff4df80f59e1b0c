// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.heddle.scheduler.accounting.HourlyUsage;
import org.heddle.scheduler.accounting.UsageRow;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.model.Weights;
import org.heddle.scheduler.policy.AssetOrder;
import org.heddle.scheduler.policy.DrfOrder;
import org.heddle.scheduler.policy.FairOrder;
import org.heddle.scheduler.policy.UsageMemory;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.settings.Clocks;
import org.jspecify.annotations.Nullable;

/**
 * Weights that depend on past usage, if {@code <usage-half-life>} says so: the configured weight of each queue below a
 * queue, and of each user of a leaf, is multiplied by its factor of {@link UsageMemory}. Only under the orders {@code
 * drf}, {@code fair} and {@code asset}. What was used before this ResourceManager started is read from the accounting.
 * Under the scheduler's lock.
 */
public final class PastUsage {
    private static final Set<String> ORDERS = Set.of(DrfOrder.NAME, FairOrder.NAME, AssetOrder.NAME);
    /** Older usage counts less than 1/32. */
    private static final int HALF_LIVES_READ = 5;
    /** At most this much time is added at once: after a pause nobody knows what was held meanwhile. */
    private static final long LONGEST_STEP_MILLIS = 60_000;

    private static final long TIDY_EVERY_MILLIS = 3_600_000;
    /**
     * A weight is set anew if it has changed by more than this part, because a new weight costs a pass over the tree.
     */
    private static final double CHANGE = 0.01;

    /** The accounting's hours. */
    public interface Archive {
        /** Gives the hours of a time, in another thread; the result ends when all have been given. */
        CompletableFuture<?> past(long fromMillis, long toMillis, Consumer<HourlyUsage> each);
    }

    private final QueueTree queues;
    private final ShareEngine engine;
    private final ResourceVectors vectors;
    private final @Nullable Archive archive;
    private final Clocks clocks;
    private long halfLifeMillis;
    private @Nullable UsageMemory memory;
    private @Nullable CompletableFuture<UsageMemory> reading;
    private long addedUntilMillis;
    private long tidiedMillis;

    /** @param archive null if there is no accounting; then past usage begins anew with each ResourceManager */
    public PastUsage(
            QueueTree queues, ShareEngine engine, ResourceVectors vectors, @Nullable Archive archive, Clocks clocks) {
        this.clocks = clocks;
        this.queues = queues;
        this.engine = engine;
        this.vectors = vectors;
        this.archive = archive;
    }

    /** Adds what is held now for the time since the last call, and brings the weights up to date. */
    public void tick() {
        long nowMillis = clocks.millis();
        long wanted = queues.rules().usageHalfLifeMillis();
        if (wanted != halfLifeMillis) {
            begin(wanted, nowMillis);
        }
        UsageMemory present = memory;
        if (present == null) {
            return;
        }
        if (reading != null && reading.isDone()) {
            if (!reading.isCompletedExceptionally()) {
                present.addAll(reading.join());
            }
            reading = null;
        }
        long[] capacity = engine.capacity();
        add(present, nowMillis);
        if (nowMillis - tidiedMillis >= TIDY_EVERY_MILLIS && reading == null && capacity[0] > 0) {
            tidiedMillis = nowMillis;
            present.tidy(capacity, nowMillis);
        }
        for (HeddleQueue queue : queues.all()) {
            if (ORDERS.contains(queue.spec().order())) {
                weigh(queue, present, capacity, nowMillis);
            }
        }
    }

    private void begin(long wanted, long nowMillis) {
        halfLifeMillis = wanted; // that it changed means that a file was read, which has set the configured weights
        memory = wanted == 0 ? null : new UsageMemory(wanted, vectors.size(), nowMillis);
        addedUntilMillis = nowMillis;
        tidiedMillis = nowMillis;
        reading = null;
        if (wanted > 0 && archive != null) {
            UsageMemory read = new UsageMemory(wanted, vectors.size(), nowMillis);
            List<String> resources = List.copyOf(vectors.names());
            long date = clocks.date();
            reading = archive.past(
                            date - HALF_LIVES_READ * wanted,
                            date,
                            hour -> remember(hour, nowMillis - date, resources, read))
                    .thenApply(end -> read);
        }
    }

    /** In the thread of the accounting. Dates plus {@code shift} are moments of the monotonic clock. */
    private static void remember(HourlyUsage hour, long shift, List<String> resources, UsageMemory memory) {
        long middle = hour.startMillis() + HourlyUsage.HOUR_MILLIS / 2 + shift;
        for (UsageRow row : hour.rows()) {
            for (Map.Entry<String, Long> amount : row.resourceMillis().entrySet()) {
                int resource = resources.indexOf(amount.getKey());
                if (resource >= 0) {
                    memory.add(user(row.queue(), row.user()), resource, amount.getValue(), middle);
                    for (String path = row.queue(); !path.isEmpty(); path = above(path)) {
                        memory.add(path, resource, amount.getValue(), middle);
                    }
                }
            }
        }
    }

    private static String above(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('.')));
    }

    /** No queue has a slash in its path. */
    private static String user(String queue, String user) {
        return queue + "/" + user;
    }

    private void add(UsageMemory present, long nowMillis) {
        long from = Math.max(addedUntilMillis, nowMillis - LONGEST_STEP_MILLIS);
        addedUntilMillis = nowMillis;
        if (from >= nowMillis) {
            return;
        }
        for (HeddleQueue queue : queues.all()) {
            String path = queue.getQueueName();
            present.add(path, queue.schedulable().usage(), from, nowMillis);
            queue.users()
                    .forEach(
                            (user, schedulable) -> present.add(user(path, user), schedulable.usage(), from, nowMillis));
        }
    }

    /** Sets the weights of the queues or users below a queue. */
    private void weigh(HeddleQueue parent, UsageMemory present, long[] capacity, long nowMillis) {
        List<Schedulable> siblings = new ArrayList<>();
        List<String> paths = new ArrayList<>();
        List<Weights> configured = new ArrayList<>();
        for (HeddleQueue child : parent.children()) {
            siblings.add(child.schedulable());
            paths.add(child.getQueueName());
            configured.add(child.spec().weights());
        }
        parent.users().forEach((user, schedulable) -> {
            siblings.add(schedulable);
            paths.add(user(parent.getQueueName(), user));
            configured.add(parent.spec().userWeights().getOrDefault(user, Weights.ONE));
        });
        double[] base = configured.stream().mapToDouble(Weights::base).toArray();
        double[] factors = present.factors(paths, base, capacity, nowMillis);
        for (int i = 0; i < factors.length; i++) {
            set(siblings.get(i), vectors.weights(configured.get(i)), factors[i]);
        }
    }

    private void set(Schedulable schedulable, double[] weights, double factor) {
        boolean changed = false;
        for (int j = 0; j < weights.length; j++) {
            weights[j] *= factor;
            changed |= Math.abs(weights[j] - schedulable.weight(j)) > CHANGE * weights[j];
        }
        if (changed) {
            engine.setWeight(schedulable, weights);
        }
    }
}
