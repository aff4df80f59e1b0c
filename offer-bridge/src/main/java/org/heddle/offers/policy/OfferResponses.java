// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.ToLongFunction;
import org.heddle.offers.model.Resources;
import org.jspecify.annotations.Nullable;

/** How a framework answered its offers in one role: {@link AskPolicy} learns from it how much to ask for, and of which size. */
public final class OfferResponses {
    /**
     * Weight of the newest pause between two accepted offers in the moving average: the rate follows a change after about
     * three offers (1 / 0.3).
     */
    private static final double NEWEST_WEIGHT = 0.3;

    /** Uses to learn from: with 50 of them, the quantile below leaves out the two largest. */
    private static final int LEARN_FROM = 50;

    /** The size asked for is enough for this part of the uses: a single large task does not make all containers large. */
    private static final double LEARN_QUANTILE = 0.95;

    private final Deque<Resources> used = new ArrayDeque<>();
    private int declines;
    private int declineRounds;
    private boolean wantsOffers = true;
    private double acceptsPerSecond;
    private long lastAccept;

    /** The framework launched tasks, which use this of the offer. */
    public void accepted(long now, Resources use) {
        double rate = 1000.0 / Math.max(1, now - lastAccept);
        acceptsPerSecond = lastAccept == 0 ? 0 : NEWEST_WEIGHT * rate + (1 - NEWEST_WEIGHT) * acceptsPerSecond;
        lastAccept = now;
        wanted();
        used.addLast(Resources.of(use.milliCpus(), use.memMb()));
        if (used.size() > LEARN_FROM) {
            used.removeFirst();
        }
    }

    public void declined() {
        declines++;
        wantsOffers = false;
    }

    /** A round of declines ends when there were as many as the cluster has nodes. */
    public void countRound(int nodes) {
        if (declines >= Math.max(1, nodes)) {
            declines = 0;
            declineRounds++;
        }
    }

    /** The framework has accepted an offer, or revived offers. */
    public void wanted() {
        declines = 0;
        declineRounds = 0;
        wantsOffers = true;
    }

    /** The framework has said which resources it wants. */
    public void requested() {
        wantsOffers = true;
    }

    /** Did it accept since it last declined, or get no offer until now? */
    public boolean wantsOffers() {
        return wantsOffers;
    }

    public int declineRounds() {
        return declineRounds;
    }

    /** Offers accepted per second, lately. */
    public double acceptsPerSecond() {
        return acceptsPerSecond;
    }

    /** A size that all but the largest uses of its offers would fit; null before the first. */
    public @Nullable Resources learned() {
        return used.isEmpty() ? null : Resources.of(quantile(Resources::milliCpus), quantile(Resources::memMb));
    }

    /** The smallest use of an offer, of CPUs and of memory each; null before the first. */
    public @Nullable Resources smallest() {
        return used.stream().reduce(Resources::cappedBy).orElse(null);
    }

    private long quantile(ToLongFunction<Resources> amount) {
        long[] sorted = used.stream().mapToLong(amount).sorted().toArray();
        return sorted[(int) Math.ceil(sorted.length * LEARN_QUANTILE) - 1];
    }
}
