// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.policy;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * An order from another jar. If it throws, or its key is not a number, the normalized share counts, as under {@code
 * drf}, and the failure is reported. So a broken jar affects only the queues that use its order.
 */
final class ContainedOrder implements ShareOrder {
    private final String name;
    private final BiConsumer<String, Throwable> report;
    private final @Nullable ShareOrder contained;
    private final boolean rescales;
    private final boolean leavesRoom;
    private final boolean looksAtSizes;
    private final boolean entitles;

    ContainedOrder(ShareOrders.Provider provider, RandomGenerator random, BiConsumer<String, Throwable> report) {
        this.name = provider.name();
        this.report = report;
        ShareOrder created = null;
        boolean rescaling = true;
        boolean looking = false;
        boolean entitling = true;
        boolean leaving = false;
        try {
            created = provider.create(random);
            rescaling = created.rescales();
            leaving = created.leavesRoom();
            looking = created.looksAtSizes();
            entitling = created.entitles();
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            created = null;
            rescaling = true;
            looking = false;
            entitling = true;
            leaving = false;
            report(e);
        }
        this.contained = created;
        this.rescales = rescaling;
        this.leavesRoom = leaving;
        this.looksAtSizes = looking;
        this.entitles = entitling;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public double key(SchedulableView child) {
        if (contained == null) {
            return child.normalizedShare();
        }
        try {
            return number(contained.key(child));
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            report(e);
            return child.normalizedShare();
        }
    }

    @Override
    public long tier(SchedulableView child) {
        if (contained == null) {
            return 0;
        }
        try {
            return contained.tier(child);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            report(e);
            return 0;
        }
    }

    @Override
    public void added(SchedulableView child) {
        tell(order -> order.added(child));
    }

    @Override
    public void changed(SchedulableView child) {
        tell(order -> order.changed(child));
    }

    @Override
    public void removed(SchedulableView child) {
        tell(order -> order.removed(child));
    }

    private void tell(Consumer<ShareOrder> news) {
        if (contained == null) {
            return;
        }
        try {
            news.accept(contained);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            report(e);
        }
    }

    @Override
    public double remainingWork(SchedulableView child) {
        if (contained == null) {
            return Double.NaN;
        }
        try {
            return contained.remainingWork(child);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            report(e);
            return Double.NaN;
        }
    }

    @Override
    public boolean rescales() {
        return rescales;
    }

    @Override
    public boolean entitles() {
        return entitles;
    }

    @Override
    public double excess(SchedulableView child, long[] more, double count) {
        if (contained == null) {
            return Double.NaN;
        }
        try {
            return contained.excess(child, more, count);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            report(e);
            return Double.NaN;
        }
    }

    @Override
    public boolean leavesRoom() {
        return leavesRoom;
    }

    @Override
    public boolean looksAtSizes() {
        return looksAtSizes;
    }

    @Override
    public double keyForSize(double key, long[] need, long[] used, long[] capacity) {
        if (contained == null) {
            return key;
        }
        try {
            return number(contained.keyForSize(key, need, used, capacity));
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            report(e);
            return key;
        }
    }

    private static double number(double key) {
        if (Double.isNaN(key)) {
            throw new IllegalStateException("the key is not a number");
        }
        return key;
    }

    private void report(Throwable e) {
        report.accept("the share order " + name, e);
    }
}
