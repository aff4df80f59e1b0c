// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.swarm;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;
import org.heddle.packing.solve.JobTable;
import org.heddle.packing.solve.Planner;
import org.heddle.packing.solve.PlanningException;
import org.heddle.packing.solve.SolveContext;
import org.heddle.packing.solve.bound.AreaBound;
import org.heddle.packing.solve.phased.PhaseChoice;
import org.heddle.packing.solve.phased.PhasedPlans;

/**
 * The paper's own solver as a baseline: particle swarm optimisation with 1,500 particles and 200
 * iterations over the matrix A and the vectors B and B' (section 5.2), constraints kept as in Hu and
 * Eberhart 2002: particles start feasible and remember feasible positions only. Runs of a job in a second
 * phase, which the formulation allows, are dropped afterwards: they never help.
 */
public final class SwarmPlanner implements Planner {
    private static final int PARTICLES = 1_500;
    private static final int ITERATIONS = 200;
    private static final int MOST_JOBS = 60;

    @Override
    public String name() {
        return "pso";
    }

    @Override
    public Plan plan(Problem problem, SolveContext context) {
        if (problem.jobs().size() > MOST_JOBS) {
            throw new PlanningException("pso plans at most " + MOST_JOBS + " jobs (a particle has M x M numbers), this"
                    + " problem has " + problem.jobs().size() + "; use --planner phased");
        }
        JobTable table = new JobTable(problem);
        double bound = new AreaBound(table).seconds();
        Swarm swarm = new Swarm(table, PARTICLES, new Random(context.seed()));
        for (int i = 0; i < ITERATIONS && !context.mustStop(); i++) {
            swarm.move();
            context.report(swarm.best(), bound);
        }
        return PhasedPlans.assemble(
                table, name(), phases(table, swarm), bound, "area bound of all plans with fixed VM counts");
    }

    private static List<PhaseChoice> phases(JobTable table, Swarm swarm) {
        List<PhaseChoice> phases = new ArrayList<>();
        boolean[] done = new boolean[table.jobs];
        for (int i = 0; i < table.jobs; i++) {
            List<Integer> jobs = new ArrayList<>();
            for (int j = 0; j < table.jobs; j++) {
                if (!done[j] && swarm.bestVms(i, j) > 0) {
                    jobs.add(j);
                    done[j] = true;
                }
            }
            if (!jobs.isEmpty()) {
                int[] set = jobs.stream().mapToInt(j -> j).toArray();
                Role[] roles = new Role[set.length];
                int[] widths = new int[set.length];
                for (int x = 0; x < set.length; x++) {
                    roles[x] = swarm.bestRole(set[x]);
                    widths[x] = swarm.bestVms(i, set[x]);
                }
                phases.add(PhaseChoice.of(table, set, roles, widths));
            }
        }
        return phases;
    }
}
