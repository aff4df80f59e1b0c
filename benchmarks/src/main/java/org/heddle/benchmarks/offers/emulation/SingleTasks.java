// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers.emulation;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.OfferID;
import org.heddle.offers.master.Master;
import org.jspecify.annotations.Nullable;

/** A framework that keeps its offers, and launches one task after the other. */
final class SingleTasks extends EmulatedFramework {
    private static final long TASK_MILLIS = 100;
    private static final long PATIENCE_SECONDS = 60;

    private record End(String task, boolean finished) {}

    private final BlockingQueue<Offer> offers = new LinkedBlockingQueue<>();
    private final BlockingQueue<End> ends = new LinkedBlockingQueue<>();

    SingleTasks(Master master, EmulatedThread thread) {
        super("single", 1, master, thread);
    }

    @Override
    void offered(Offer offer) {
        offers.add(offer);
    }

    @Override
    void rescinded(OfferID ended) {
        offers.removeIf(offer -> offer.getId().equals(ended));
    }

    @Override
    void finished(String task) {
        ends.add(new End(task, true));
    }

    @Override
    void tooLate(String task) {
        ends.add(new End(task, false));
    }

    /**
     * Launches a task, and returns how much longer its end takes than its length, in ms, from the wait for an offer on.
     */
    double overhead() throws InterruptedException {
        long begin = System.nanoTime();
        boolean finished = false;
        while (!finished) {
            finished = finishes();
        }
        return (System.nanoTime() - begin) / 1e6 - TASK_MILLIS;
    }

    /** Launches a task on the next offer; false if the offer had ended. */
    private boolean finishes() throws InterruptedException {
        Offer offer = there("offer", offers.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
        String task = launch(offer, TASK_MILLIS);
        End end;
        do { // updates may come twice
            end = there("end of " + task, ends.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
        } while (!end.task().equals(task));
        return end.finished();
    }

    private static <T> T there(String what, @Nullable T found) {
        if (found == null) {
            throw new IllegalStateException("no " + what + " within " + PATIENCE_SECONDS + " s");
        }
        return found;
    }
}
