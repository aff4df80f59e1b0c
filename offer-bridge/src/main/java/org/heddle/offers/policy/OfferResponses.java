// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.ToLongFunction;
import org.heddle.offers.model.Resources;
import org.jspecify.annotations.Nullable;

/**
 * The answers of a framework to its offers in one role. {@link AskPolicy} learns from them the number and the size of
 * the containers to request.
 */
public final class OfferResponses {
    /**
     * Weight of the newest pause between two accepted offers in the moving average: the rate follows a change after
     * about three offers (1 / 0.3).
     */
    private static final double NEWEST_WEIGHT = 0.3;

    /** Number of uses to learn from. With 50 uses, the quantile below leaves out the two largest. */
    private static final int LEARN_FROM = 50;

    /**
     * The requested size is enough for this part of the uses, so that a single large task does not make all
     * containers large.
     */
    private static final double LEARN_QUANTILE = 0.95;

    private final Deque<Resources> used = new ArrayDeque<>();
    private int declines;
    private int declineRounds;
    private @Nullable Resources declined;
    private boolean wantsOffers = true;
    private @Nullable Resources learned;
    private @Nullable Resources smallest;
    private double acceptsPerSecond;
    private long lastAccept;

    /** The framework launched tasks that use these resources of the offer. */
    public void accepted(long now, Resources use) {
        double rate = 1000.0 / Math.max(1, now - lastAccept);
        acceptsPerSecond = lastAccept == 0 ? 0 : NEWEST_WEIGHT * rate + (1 - NEWEST_WEIGHT) * acceptsPerSecond;
        lastAccept = now;
        wanted();
        used.addLast(use.scheduled());
        if (used.size() > LEARN_FROM) {
            used.removeFirst();
        }
        learned = Resources.of(quantile(Resources::milliCpus), quantile(Resources::memMb))
                .withGpus(used.stream().mapToLong(Resources::gpus).max().orElse(0));
        smallest = used.stream().reduce(Resources::cappedBy).orElse(null);
    }

    /** The framework declined an offer of these resources. */
    public void declined(Resources offer) {
        declines++;
        wantsOffers = false;
        Resources size = offer.scheduled();
        declined = declined == null ? size : declined.max(size);
    }

    /** Counts a decline. A round of declines ends when there were as many as the cluster has nodes. */
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
        declined = null;
        wantsOffers = true;
    }

    /** The framework has said which resources it wants. */
    public void requested() {
        wantsOffers = true;
    }

    /** Whether the framework has accepted an offer since its last decline, or has had no offer yet. */
    public boolean wantsOffers() {
        return wantsOffers;
    }

    /** The maximum of the declined offers, for CPUs and memory each; null if none was declined since the last use. */
    public @Nullable Resources declined() {
        return declined;
    }

    /**
     * Whether the framework wants offers of this size: it may have declined smaller ones only because of their size.
     */
    public boolean wantsOffersOf(Resources size) {
        return wantsOffers || declinedOnlySmaller(declined, size);
    }

    /**
     * Whether a framework has declined offers, and all of them were smaller than this size.
     *
     * @param declined maximum of the declined offers; null if none was declined
     */
    static boolean declinedOnlySmaller(@Nullable Resources declined, Resources size) {
        return declined != null && !declined.covers(size);
    }

    public int declineRounds() {
        return declineRounds;
    }

    /** Recent rate of accepted offers, per second. */
    public double acceptsPerSecond() {
        return acceptsPerSecond;
    }

    /**
     * A size that is enough for all but the largest uses of its offers, with all GPUs of the largest; null before the
     * first use.
     */
    public @Nullable Resources learned() {
        return learned;
    }

    /** The smallest use of an offer, for CPUs and memory each; null before the first use. */
    public @Nullable Resources smallest() {
        return smallest;
    }

    private long quantile(ToLongFunction<Resources> amount) {
        long[] sorted = used.stream().mapToLong(amount).sorted().toArray();
        return sorted[(int) Math.ceil(sorted.length * LEARN_QUANTILE) - 1];
    }
}
