// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.heddle.packing.model.Plan;

/**
 * The search of another planner in a thread of its own: it has the whole time limit of the search beside which it runs,
 * and finds what it finds where it runs alone.
 */
public final class SideSearch implements AutoCloseable {
    private final AtomicBoolean closed = new AtomicBoolean();
    private final FutureTask<Plan> search;

    /**
     * @param name of the thread
     * @param planner the other search
     * @param context of the search beside which it runs
     */
    public SideSearch(String name, Function<SolveContext, Plan> planner, SolveContext context) {
        search = new FutureTask<>(() -> planner.apply(context.alongside(closed::get)));
        Thread thread = new Thread(search, "heddle-pack-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Waits for the end of the search. */
    public Plan plan() {
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
            if (cause instanceof RuntimeException known) {
                throw known;
            }
            throw new PlanningException(String.valueOf(cause));
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
