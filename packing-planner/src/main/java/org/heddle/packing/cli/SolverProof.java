// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.util.function.BooleanSupplier;
import org.heddle.packing.check.TimedProof;
import org.heddle.packing.solve.TimedSolver;

/** The exact solver of the class path, asked by {@code check}. */
record SolverProof(TimedSolver solver) implements TimedProof {
    @Override
    public String name() {
        return solver.name();
    }

    @Override
    public double lowerBound(Question question, double limitSeconds, BooleanSupplier mustStop) {
        TimedSolver.Instance instance = new TimedSolver.Instance(
                question.seconds(),
                question.first(),
                question.second(),
                question.capacity(),
                question.mode(),
                question.start(),
                question.makespan(),
                0);
        return solver.solve(instance, limitSeconds, mustStop).lowerBound();
    }
}
