// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import org.heddle.offers.model.AskView;
import org.heddle.offers.model.ContainerAsk;
import org.heddle.offers.model.Resources;

/**
 * How many grants of which size to ask the cluster for, so that a framework always has something to choose from and its
 * queue never looks hungrier than the framework is. A pure function of what it is shown.
 *
 * <p>Size: what the framework wished or was seen to use; before that a quarter of a node, doubled with every round of
 * declines until it is a whole node (a framework that refuses everything may only be waiting for more). Number: one for
 * each node at first, half of it after each round of declines, more when it accepts faster than offers come; never more
 * than the cluster's scheduler says is to be had, but for one that a hungry framework may wait for, so that its queue can
 * claim its share.
 */
public final class AskPolicy {
    /** A round trip of an offer, seconds: grant, decision, next ask. */
    private static final double OFFER_ROUND_TRIP = 0.5;

    private static final int MOST = 1000;

    private AskPolicy() {}

    /** Size of the next grants. */
    public static Resources size(AskView view) {
        Resources wanted;
        if (view.wished() != null) {
            wanted = view.wished();
        } else {
            Resources first = view.learned();
            if (first == null) {
                first = Resources.of(
                        Math.max(1000, view.node().milliCpus() / 4),
                        Math.max(1, view.node().memMb() / 4));
            }
            wanted = first.times(1L << Math.min(10, view.declineRounds()))
                    .cappedBy(view.node().max(first));
        }
        return Resources.of(wanted.milliCpus(), wanted.memMb())
                .max(Resources.of(view.minimum().milliCpus(), view.minimum().memMb()))
                .cappedBy(view.largest());
    }

    /** What should be outstanding now. */
    public static ContainerAsk plan(AskView view) {
        if (!view.active()) {
            return new ContainerAsk(Resources.NONE, 0);
        }
        Resources size = size(view);
        if (view.nodes() == 0 || view.blocked() >= view.nodes() || size.memMb() == 0) {
            return new ContainerAsk(size, 0);
        }
        int open = view.nodes() - view.blocked();
        int probe = Math.max(1, open >> Math.min(20, view.declineRounds()));
        double pace = Math.ceil(2 * view.acceptsPerSecond() * OFFER_ROUND_TRIP);
        int window = (int) Math.min(MOST, Math.max(probe, pace));
        long possible = fits(view.headroom(), size);
        if (possible == 0 && view.hungry()) {
            possible = 1;
        }
        return new ContainerAsk(size, (int) Math.max(0, Math.min(window - view.held(), possible)));
    }

    private static long fits(Resources room, Resources size) {
        long byMemory = size.memMb() == 0 ? Long.MAX_VALUE : room.memMb() / size.memMb();
        long byCpus = size.milliCpus() == 0 ? Long.MAX_VALUE : room.milliCpus() / size.milliCpus();
        return Math.min(byMemory, byCpus);
    }
}
