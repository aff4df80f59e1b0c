// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.timed;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Phase;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PlanKind;
import org.heddle.packing.model.Role;
import org.heddle.packing.model.Vm;
import org.heddle.packing.solve.JobTable;
import org.heddle.packing.solve.SolveContext;
import org.heddle.packing.solve.phased.PhasedPlanner;

/** Simulated annealing over the order, VM counts and roles of jobs; {@link Timetable} turns them into starts. */
final class TimedSearch {
    private static final double COLDEST = 1e-5;
    /** Up to this many jobs the phased plan is optimal. */
    private static final int FEW = PhasedPlanner.FIRST_EXACT;
    /** From this many jobs on a step takes long enough to look at the clock each time. */
    private static final int MANY = 200;

    private static final int STEPS_BETWEEN_LOOKS = 64;

    private final JobTable table;
    private final RandomGenerator random;
    private final Timetable timetable;
    private final int[] order;
    private final int[] widths;
    private final Role[] roles;
    private final double[] seconds;
    private Plan best;

    TimedSearch(JobTable table, Plan phased, RandomGenerator random) {
        this.table = table;
        this.random = random;
        timetable = new Timetable(table);
        order = new int[table.jobs];
        widths = new int[table.jobs];
        roles = new Role[table.jobs];
        seconds = new double[table.jobs];
        Map<String, Integer> index = new HashMap<>();
        for (int j = 0; j < table.jobs; j++) {
            index.put(table.problem.jobs().get(j).name(), j);
        }
        int next = 0;
        for (Phase phase : phased.phases()) {
            for (Assignment assignment : phase.assignments()) {
                Integer j = index.get(assignment.job());
                if (j == null) {
                    throw new IllegalArgumentException("job " + assignment.job() + " is not in the problem");
                }
                order[next++] = j;
                widths[j] = assignment.vms();
                roles[j] = assignment.role();
            }
        }
        best = asTimed(table, phased);
    }

    Plan best() {
        return best;
    }

    /** Role of a job in the best plan. */
    Role role(int j) {
        return assignment(j).role();
    }

    /** VM count of a job in the best plan. */
    int width(int j) {
        return assignment(j).vms();
    }

    /** Starts of all jobs in the best plan, seconds. */
    double[] starts() {
        double[] starts = new double[table.jobs];
        for (int j = 0; j < table.jobs; j++) {
            starts[j] = assignment(j).start();
        }
        return starts;
    }

    private Assignment assignment(int j) {
        String name = table.problem.jobs().get(j).name();
        return best.phases().stream()
                .flatMap(p -> p.assignments().stream())
                .filter(s -> s.job().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Begins with the best of {@link ListStarts} if that is better than the phased plan. Few jobs do not need it. */
    void startFromLists(ListStarts starts, SolveContext context, double bound) {
        if (table.jobs <= FEW) {
            return;
        }
        ListStarts.Start shortest = new ListStarts.Start(order.clone(), widths.clone(), roles.clone(), -1);
        for (int i = 0; i < starts.count() && !context.goodEnough(); i++) {
            if (!ListStarts.isFirst(i) && context.mustStop()) {
                continue;
            }
            double before = best.makespan();
            ListStarts.Start start = starts.get(i);
            timetable.dedicate(start.dedicated());
            consider(start.order(), start.widths(), start.roles());
            if (best.makespan() < before) {
                shortest = start;
                context.report(best.makespan(), bound);
            }
        }
        timetable.dedicate(shortest.dedicated());
        set(shortest.order(), shortest.widths(), shortest.roles());
    }

    private void set(int[] newOrder, int[] newWidths, Role[] newRoles) {
        System.arraycopy(newOrder, 0, order, 0, order.length);
        System.arraycopy(newWidths, 0, widths, 0, widths.length);
        System.arraycopy(newRoles, 0, roles, 0, roles.length);
    }

    /** Replaces the best plan if this one is better. */
    void offer(int[] newOrder, int[] newWidths, Role[] newRoles) {
        timetable.dedicate(-1);
        consider(newOrder, newWidths, newRoles);
    }

    private void consider(int[] newOrder, int[] newWidths, Role[] newRoles) {
        set(newOrder, newWidths, newRoles);
        double makespan = evaluate(Double.POSITIVE_INFINITY);
        if (makespan < best.makespan()) {
            accept(makespan);
        }
    }

    /**
     * A phased plan as a plan in which each job has its own start. It has one phase, except with factors that differ
     * from pair to pair: within a phase every host counts as a partner of every extra, so there the phases stay.
     */
    static Plan asTimed(JobTable table, Plan phased) {
        List<Assignment> assignments =
                phased.phases().stream().flatMap(p -> p.assignments().stream()).toList();
        return new Plan(
                phased.problem(),
                phased.planner(),
                PlanKind.NONPHASED,
                phased.makespan(),
                phased.lowerBound(),
                phased.bound(),
                table.uniformAlpha ? List.of(new Phase(0, phased.makespan(), assignments)) : phased.phases(),
                List.of());
    }

    /** Searches until the makespan equals the bound, the time is over, or many changes in a row did not help. */
    void run(SolveContext context, double bound) {
        if (context.mustStop()) {
            return;
        }
        double current = evaluate(Double.POSITIVE_INFINITY);
        accept(current);
        long patience = 60_000L + 8_000L * table.jobs;
        int between = table.jobs <= MANY ? STEPS_BETWEEN_LOOKS : 1;
        for (int restart = 0; restart < 4; restart++) {
            double temperature = 0.03;
            double cooling = Math.pow(COLDEST / temperature, 1.0 / patience);
            for (long i = 0; i < patience; i++, temperature *= cooling) {
                if ((i % between == 0 && context.mustStop()) || best.makespan() <= bound * (1 + Plan.PROVEN)) {
                    return;
                }
                double limit = current * (1 - temperature * Math.log(random.nextDouble()));
                current = attempt(current, limit);
                if (current < best.makespan() * (1 - 1e-12) && accept(current)) {
                    context.report(best.makespan(), bound);
                }
            }
        }
    }

    /** Makes a random change, and reverts it if its makespan is not below the limit. Returns the current makespan. */
    private double attempt(double current, double limit) {
        int j = random.nextInt(table.jobs);
        double dice = random.nextDouble();
        int width = widths[j];
        Role role = roles[j];
        if (dice < 0.5) {
            int reach = Math.max(1, (int) (width * 0.4));
            widths[j] = Math.max(1, Math.min(timetable.most(role), width + random.nextInt(-reach, reach + 1)));
        } else if (dice < 0.6 && (table.mayHost(j) || table.mayBeExtra(j))) {
            roles[j] = randomRole();
            if (!table.mayBe(j, roles[j]) || timetable.most(roles[j]) == 0) {
                roles[j] = timetable.most(Role.NORMAL) == 0 ? role : Role.NORMAL;
            }
            widths[j] = Math.min(width, timetable.most(roles[j]));
        } else {
            return reorder(current, limit);
        }
        double next = evaluate(limit);
        if (next < limit) {
            return next;
        }
        widths[j] = width;
        roles[j] = role;
        return current;
    }

    /** A normal job half of the time. */
    private Role randomRole() {
        if (random.nextBoolean()) {
            return Role.NORMAL;
        }
        return random.nextBoolean() ? Role.HOST : Role.EXTRA;
    }

    private double reorder(double current, double limit) {
        int from = random.nextInt(table.jobs);
        int to = random.nextInt(table.jobs);
        moveInOrder(from, to);
        double next = evaluate(limit);
        if (next < limit) {
            return next;
        }
        moveInOrder(to, from);
        return current;
    }

    private void moveInOrder(int from, int to) {
        int job = order[from];
        int step = from < to ? 1 : -1;
        for (int i = from; i != to; i += step) {
            order[i] = order[i + step];
        }
        order[to] = job;
    }

    private double evaluate(double limit) {
        Role[] real = realRoles();
        int[] all = order;
        for (int j : all) {
            seconds[j] = factor(real, j) * table.seconds(j, widths[j]);
        }
        return timetable.schedule(order, widths, real, seconds, limit);
    }

    /** Overcommit needs hosts and extras; without one of them all jobs are normal. */
    private Role[] realRoles() {
        boolean hosts = Arrays.asList(roles).contains(Role.HOST);
        boolean extras = Arrays.asList(roles).contains(Role.EXTRA);
        if (hosts && extras) {
            return roles;
        }
        Role[] normal = new Role[roles.length];
        Arrays.fill(normal, Role.NORMAL);
        return normal;
    }

    private double factor(Role[] real, int j) {
        if (real[j] == Role.NORMAL || table.uniformAlpha) {
            return table.leastFactor(j, real[j]);
        }
        double factor = 1;
        for (int o = 0; o < table.jobs; o++) {
            if (real[j] == Role.HOST && real[o] == Role.EXTRA) {
                factor = Math.max(factor, table.alpha(j, o));
            } else if (real[j] == Role.EXTRA && real[o] == Role.HOST) {
                factor = Math.max(factor, table.alpha(o, j));
            }
        }
        return factor;
    }

    /** Makes the current state the best plan if its VMs can be placed. */
    private boolean accept(double makespan) {
        Role[] real = realRoles();
        if (evaluate(Double.POSITIVE_INFINITY) > best.makespan()) {
            return false;
        }
        List<Assignment> assignments = new ArrayList<>();
        for (int j : order) {
            assignments.add(new Assignment(
                    table.problem.jobs().get(j).name(),
                    real[j],
                    widths[j],
                    timetable.start[j],
                    seconds[j],
                    1,
                    List.of()));
        }
        List<List<Vm>> placed = TimedPlacement.place(table.problem, assignments, timetable.dedicated());
        if (placed == null) {
            return false;
        }
        for (int i = 0; i < assignments.size(); i++) {
            assignments.set(i, assignments.get(i).placedOn(placed.get(i)));
        }
        best = new Plan(
                best.problem(),
                best.planner(),
                PlanKind.NONPHASED,
                makespan,
                best.lowerBound(),
                best.bound(),
                List.of(new Phase(0, makespan, assignments)),
                List.of());
        return true;
    }
}
