// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;

/** The run times of {@link PlanChecker}, and what proofs of lower bounds ask of them besides. */
final class BoundTimes extends RunTimes {
    BoundTimes(Problem problem) {
        super(problem);
    }

    /** The smallest factor of a job in a role; infinite if it cannot have it. */
    double factor(int j, Role role) {
        return switch (role) {
            case NORMAL -> 1;
            case HOST -> hostFactor(j);
            case EXTRA -> extraFactor(j);
        };
    }

    /** The least number of VMs with which a job, slowed by a factor, meets a limit; N + 1 if there is none. */
    int width(int j, double limit, double factor) {
        if (!(factor * seconds(j, slots) <= limit)) {
            return slots + 1;
        }
        int low = 0;
        int high = slots;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (factor * seconds(j, middle) <= limit) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }

    /** Most extra VMs on the cluster. */
    int mostExtras() {
        return problem.machines() * extrasPerMachine;
    }

    /** Slots of the machines that hold this many extras. */
    int slotsFor(int extras) {
        return (extras + extrasPerMachine - 1) / extrasPerMachine * problem.disks();
    }
}
