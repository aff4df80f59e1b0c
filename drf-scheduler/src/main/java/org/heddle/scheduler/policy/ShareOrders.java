// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.policy;

import java.util.Collections;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The share orders that a configuration may name: ours, and those that other jars provide as a
 * {@link java.util.ServiceLoader} service of type {@link Provider}.
 */
public final class ShareOrders {
    private final SortedMap<String, Provider> providers = new TreeMap<>();
    private @Nullable BiConsumer<String, Throwable> whenOneFails;

    /** Makes instances of one order. */
    public interface Provider {
        /** The name by which configuration refers to the order. */
        String name();

        /** A new instance for one parent; {@code random} is the only source of chance that it may use. */
        ShareOrder create(RandomGenerator random);
    }

    /** The orders that come with Heddle. */
    public ShareOrders() {
        addOurs(DrfOrder.NAME, random -> new DrfOrder());
        addOurs(AssetOrder.NAME, random -> new AssetOrder());
        addOurs(FairOrder.NAME, random -> new FairOrder());
        addOurs(FifoOrder.NAME, random -> new FifoOrder());
        addOurs(PriorityOrder.NAME, random -> new PriorityOrder());
        addOurs(LotteryOrder.NAME, LotteryOrder::new);
        addOurs(SojournOrder.NAME, random -> new SojournOrder());
        addOurs(MaxUtilizationOrder.NAME, random -> new MaxUtilizationOrder());
    }

    private void addOurs(String name, Function<RandomGenerator, ShareOrder> maker) {
        add(new Ours(name, maker));
    }

    /** Ours and every service found through {@code loader}. */
    public static ShareOrders discover(ClassLoader loader) {
        ShareOrders orders = new ShareOrders();
        for (Provider provider : ServiceLoader.load(Provider.class, loader)) {
            orders.add(provider);
        }
        return orders;
    }

    /**
     * Sets the receiver of failures of orders from other jars; {@code drf} replaces such an order for that one call.
     *
     * @param report gets a sentence that names the order, and the failure
     */
    public ShareOrders containing(BiConsumer<String, Throwable> report) {
        whenOneFails = report;
        return this;
    }

    /**
     * Adds an order.
     *
     * @throws IllegalArgumentException if another one has its name
     */
    public ShareOrders add(Provider provider) {
        if (providers.putIfAbsent(provider.name(), provider) != null) {
            throw new IllegalArgumentException(
                    "share order " + provider.name() + " is provided twice: remove the jar of "
                            + provider.getClass().getName() + " or rename its order");
        }
        return this;
    }

    public Set<String> names() {
        return Collections.unmodifiableSet(providers.keySet());
    }

    /**
     * A new instance for one parent.
     *
     * @throws IllegalArgumentException if no order has this name; the message lists those that exist
     */
    public ShareOrder create(String name, RandomGenerator random) {
        Provider provider = providers.get(name);
        if (provider == null) {
            throw new IllegalArgumentException("share order " + name + " is unknown: use one of " + names());
        }
        if (whenOneFails == null || provider instanceof Ours) {
            return provider.create(random);
        }
        return new ContainedOrder(provider, random, whenOneFails);
    }

    private record Ours(String name, Function<RandomGenerator, ShareOrder> maker) implements Provider {
        @Override
        public ShareOrder create(RandomGenerator random) {
            return maker.apply(random);
        }
    }
}
