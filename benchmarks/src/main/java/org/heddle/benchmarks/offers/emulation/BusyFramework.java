// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers.emulation;

import java.util.Random;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.OfferID;
import org.heddle.offers.master.Master;

/**
 * Starts a task from each offer. The lengths of its tasks are normally distributed; the deviation is a third of the
 * mean, as in the Mesos paper.
 */
final class BusyFramework extends EmulatedFramework {
    /** No task is shorter than the mean divided by this: the distribution has negative lengths, too. */
    private static final long SHORTEST_PART = 30;

    private final long meanMillis;
    private final Random random;

    BusyFramework(int number, long meanMillis, Master master, EmulatedThread thread) {
        super("busy-" + number, EmulatedNodes.BUSY_CORES, master, thread);
        this.meanMillis = meanMillis;
        this.random = new Random(number);
    }

    @Override
    void offered(Offer offer) {
        long length = Math.round(meanMillis * (1 + random.nextGaussian() / 3));
        launch(offer, Math.max(meanMillis / SHORTEST_PART, length));
    }

    /** It answers each offer at once. */
    @Override
    void rescinded(OfferID offer) {}

    @Override
    void finished(String task) {}

    @Override
    void tooLate(String task) {}
}
