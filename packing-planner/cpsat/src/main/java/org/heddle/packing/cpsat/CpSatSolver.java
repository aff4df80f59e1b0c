// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cpsat;

import com.google.ortools.Loader;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CpSolverStatus;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.heddle.packing.solve.TimedSolver;

/**
 * CP-SAT of OR-Tools. The model is in {@link CpSatModel}; here it is run, watched and read.
 */
public final class CpSatSolver implements TimedSolver {
    private static final long POLL_MILLIS = 50;
    private static final int WORKERS = 2;

    /** Fails where the native library cannot be loaded, upon which the planner goes on without it. */
    public CpSatSolver() {
        Loader.loadNativeLibraries();
    }

    @Override
    public String name() {
        return "CP-SAT";
    }

    @Override
    public Answer solve(Instance instance, double limitSeconds, BooleanSupplier stop) {
        CpSatModel model = new CpSatModel(instance);
        CpSolver solver = new CpSolver();
        solver.getParameters().setMaxTimeInSeconds(Math.max(0.1, limitSeconds)).setNumWorkers(WORKERS);
        Thread watcher = new Thread(() -> watch(solver, stop), "heddle-pack-cpsat-stop");
        watcher.setDaemon(true);
        watcher.start();
        CpSolverStatus status = solver.solve(model.model());
        watcher.interrupt();
        boolean found = status == CpSolverStatus.OPTIMAL || status == CpSolverStatus.FEASIBLE;
        double bound;
        if (status == CpSolverStatus.UNKNOWN || found) {
            bound = solver.bestObjectiveBound() * model.secondsPerUnit();
        } else {
            bound = instance.lowerBound();
        }
        if (!found || solver.objectiveValue() * model.secondsPerUnit() >= instance.makespan()) {
            return new Answer(new int[0], new double[0], bound);
        }
        return new Answer(model.modes(solver), model.starts(solver), bound);
    }

    private static void watch(CpSolver solver, BooleanSupplier stop) {
        try {
            while (!stop.getAsBoolean()) {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
            solver.stopSearch();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // solved meanwhile
        }
    }
}
