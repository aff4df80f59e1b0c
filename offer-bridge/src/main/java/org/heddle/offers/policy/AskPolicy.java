// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import org.heddle.offers.model.AskView;
import org.heddle.offers.model.ContainerAsk;
import org.heddle.offers.model.Resources;

/**
 * Decides the number and the size of the containers to request from YARN, so that a framework always has offers to
 * choose from and its queue does not request more than the framework wants. A pure function of its input.
 *
 * <p>Size: the one that the framework named in a REQUEST call or has used. Before the first use it is a quarter of a
 * node, doubled with every round of declines up to a whole node, because a framework that declines everything may need
 * larger offers. Four first containers fill a node, with their agents. In a full cluster, a first container is not
 * larger than the containers that other frameworks can return; once the framework has declined such a container, the
 * size doubles with each decline. A learned size shrinks after some seconds of waiting, but not below the smallest use.
 *
 * <p>A framework that knows of GPUs is offered a quarter of a node's at first, as long as a node has some free, and
 * then as many as it has used.
 *
 * <p>Number: one for each node at first, half as many after each round of declines, more if the framework accepts
 * offers faster than they come. It never exceeds YARN's headroom, except for one container so that the queue can get
 * its share by preemption: if the framework wants offers, or if it has declined only smaller offers than this.
 */
public final class AskPolicy {
    /** A round trip of an offer, in seconds: allocation, decision, next ask. */
    private static final double OFFER_ROUND_TRIP = 0.5;

    private static final int MOST = 1000;

    private AskPolicy() {}

    /** Size of the next containers. */
    public static Resources size(AskView view) {
        Resources wanted;
        if (view.wished() != null) {
            wanted = view.wished();
        } else {
            Resources first = view.learned();
            if (first == null) {
                first = first(view);
            } else if (view.waitsLong() && view.hole() != null && view.smallest() != null) {
                first = first.cappedBy(view.hole()).max(view.smallest());
            }
            if (view.learned() != null && view.declined() != null && first.gpus() == 0) {
                first = first.withGpus(firstGpus(view)); // it may refuse offers because they have none
            }
            wanted = first.times(1L << Math.min(10, view.declineRounds()));
            if (view.hole() != null && view.declined() != null) {
                wanted = wanted.max(view.declined().times(2));
            }
            wanted = wanted.cappedBy(view.node().max(first));
        }
        return wanted.scheduled().max(view.minimum().scheduled()).cappedBy(view.largest());
    }

    /** A quarter of a node with its agent; in a full cluster no more than what another framework can return. */
    private static Resources first(AskView view) {
        Resources quarter = quarter(view.node(), view.agent());
        Resources first = view.hole() == null || view.declined() != null ? quarter : quarter.cappedBy(view.hole());
        return first.withGpus(firstGpus(view));
    }

    /** A quarter of a node with its agent. */
    public static Resources quarter(Resources node, Resources agent) {
        Resources whole = node.plus(agent);
        return Resources.of(Math.max(1000, whole.milliCpus() / 4), Math.max(1, whole.memMb() / 4 - agent.memMb()));
    }

    /** A quarter of a node's GPUs, as long as a node has some free. */
    private static long firstGpus(AskView view) {
        return Math.min(view.freeGpus(), (view.node().gpus() + 3) / 4);
    }

    /**
     * The ask that should be outstanding now.
     *
     * @param blocked number of nodes whose offers of the {@link #size} the framework still refuses
     */
    public static ContainerAsk plan(AskView view, int blocked) {
        if (!view.active()) {
            return new ContainerAsk(Resources.NONE, 0);
        }
        Resources size = size(view);
        if (view.nodes() == 0 || blocked >= view.nodes() || size.memMb() == 0) {
            return new ContainerAsk(size, 0);
        }
        int open = view.nodes() - blocked;
        int probe = Math.max(1, open >> Math.min(20, view.declineRounds()));
        double pace = Math.ceil(2 * view.acceptsPerSecond() * OFFER_ROUND_TRIP);
        int window = (int) Math.min(MOST, Math.max(probe, pace));
        long possible = fits(view.headroom(), size);
        boolean mayWantMore = view.hole() != null && OfferResponses.declinedOnlySmaller(view.declined(), size);
        if (possible == 0 && (view.wantsOffers() || mayWantMore)) {
            possible = 1;
        }
        return new ContainerAsk(size, (int) Math.max(0, Math.min(window - view.held(), possible)));
    }

    private static long fits(Resources available, Resources size) {
        long byMemory = size.memMb() == 0 ? Long.MAX_VALUE : available.memMb() / size.memMb();
        long byCpus = size.milliCpus() == 0 ? Long.MAX_VALUE : available.milliCpus() / size.milliCpus();
        long byGpus = size.gpus() == 0 ? Long.MAX_VALUE : available.gpus() / size.gpus();
        return Math.min(byGpus, Math.min(byMemory, byCpus));
    }
}
