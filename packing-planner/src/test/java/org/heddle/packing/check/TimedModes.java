// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Role;
import org.heddle.packing.solve.TimedSolver;
import org.jspecify.annotations.Nullable;

/**
 * A plan's problem for an exact solver, made without code of the planners. It has the least factor of each job and
 * counts extras in total, so its optimum is at most the shortest plan.
 */
final class TimedModes {
    private static final int MOST_MODES = 1_500;

    private final BoundTimes times;
    private final Plan plan;

    /** One way to run a job. */
    private record Mode(Role role, int vms, double seconds) {}

    TimedModes(BoundTimes times, Plan plan) {
        this.times = times;
        this.plan = plan;
    }

    /** The problem; null if it is too large. */
    TimedSolver.@Nullable Instance instance() {
        Map<String, Assignment> known = new HashMap<>();
        plan.phases().forEach(phase -> phase.assignments().forEach(a -> known.put(a.job(), a)));
        double[][] seconds = new double[times.jobs][];
        int[][] first = new int[times.jobs][];
        int[][] second = new int[times.jobs][];
        int[] chosen = new int[times.jobs];
        double[] start = new double[times.jobs];
        int perMachine = times.extrasPerMachine;
        int count = 0;
        for (int j = 0; j < times.jobs; j++) {
            Assignment assignment = known.get(times.job(j).name());
            if (assignment == null) {
                return null;
            }
            List<Mode> modes = modes(j, assignment);
            count += modes.size();
            if (count > MOST_MODES) {
                return null;
            }
            seconds[j] = modes.stream().mapToDouble(Mode::seconds).toArray();
            first[j] = modes.stream()
                    .mapToInt(m -> m.role() == Role.EXTRA ? 0 : perMachine * m.vms())
                    .toArray();
            second[j] = modes.stream()
                    .mapToInt(m -> switch (m.role()) {
                        case NORMAL -> perMachine * m.vms();
                        case HOST -> 0;
                        case EXTRA -> times.problem.disks() * m.vms();
                    })
                    .toArray();
            for (int m = 0; m < modes.size(); m++) {
                boolean own =
                        modes.get(m).role() == assignment.role() && modes.get(m).vms() == assignment.vms();
                chosen[j] = own ? m : chosen[j];
            }
            start[j] = assignment.start();
        }
        int capacity = perMachine * times.slots;
        return new TimedSolver.Instance(seconds, first, second, capacity, chosen, start, plan.makespan(), 0);
    }

    /** All VM counts that are faster than the count below them, and the one of the plan. */
    private List<Mode> modes(int j, Assignment own) {
        List<Mode> modes = new ArrayList<>();
        for (Role role : Role.values()) {
            double factor = times.factor(j, role);
            int most = role == Role.EXTRA ? times.mostExtras() : times.slots;
            for (int n = 1; n <= most && factor < Double.POSITIVE_INFINITY; n++) {
                boolean isOwn = own.role() == role && own.vms() == n;
                boolean faster = n == 1 || times.seconds(j, n) < times.seconds(j, n - 1);
                double seconds = factor * times.seconds(j, n);
                if (isOwn || (faster && seconds <= plan.makespan())) {
                    modes.add(new Mode(role, n, seconds));
                }
            }
        }
        return modes;
    }
}
