// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.malleable;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.PlanningException;
import org.heddle.packing.solve.SolveContext;
import org.heddle.packing.solve.timed.NonPhasedPlanner;

/**
 * The search of {@link NonPhasedPlanner} in a thread of its own: it has the whole time limit, and finds what it finds where
 * it runs alone.
 */
final class RigidSearch implements AutoCloseable {
    private final AtomicBoolean closed = new AtomicBoolean();
    private final FutureTask<Plan> search;

    RigidSearch(Problem problem, SolveContext context) {
        search = new FutureTask<>(() -> new NonPhasedPlanner().plan(problem, context.alongside(closed::get)));
        Thread thread = new Thread(search, "heddle-pack-fixed-vm-counts");
        thread.setDaemon(true);
        thread.start();
    }

    /** Waits for the end of the search. */
    Plan plan() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return search.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                    closed.set(true);
                }
            }
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof Error error) {
                throw error;
            }
            throw cause instanceof RuntimeException known ? known : new PlanningException(String.valueOf(cause));
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Lets the search end soon. */
    @Override
    public void close() {
        closed.set(true);
    }
}
