// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.phased;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Explanation;
import org.heddle.packing.model.Phase;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PlanKind;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;
import org.heddle.packing.model.Vm;
import org.heddle.packing.solve.JobTable;

/**
 * Explains for each job of a phased plan why it is in its phase and role. It computes the makespan if only this job
 * moves to another phase, to a phase of its own, or out of overcommit; all other jobs keep their phases and adapt roles
 * and VM counts.
 */
public final class Explainer {
    private final Problem problem;
    private final Plan plan;
    private final JobTable table;
    private final List<int[]> phases = new ArrayList<>();
    private final List<Double> lengths = new ArrayList<>();
    private final BooleanSupplier mustStop;
    private double makespan;

    private final Predicate<String> wanted;

    private Explainer(Problem problem, Plan plan, BooleanSupplier mustStop, Predicate<String> wanted) {
        this.mustStop = mustStop;
        this.wanted = wanted;
        this.problem = problem;
        this.plan = plan;
        table = new JobTable(problem);
    }

    /** The plan with explanations. In a plan that is not phased they name no alternatives. */
    public static Plan explain(Problem problem, Plan plan) {
        return explain(problem, plan, () -> false);
    }

    /** The same, but jobs whose turn comes after {@code mustStop} has returned true get no alternatives. */
    public static Plan explain(Problem problem, Plan plan, BooleanSupplier mustStop) {
        return explain(problem, plan, mustStop, job -> true);
    }

    /** The same for the jobs that {@code wanted} accepts by name. */
    public static Plan explain(Problem problem, Plan plan, BooleanSupplier mustStop, Predicate<String> wanted) {
        if (plan.kind() != PlanKind.PHASED) {
            return plan.withExplanations(plain(plan, wanted));
        }
        return plan.withExplanations(new Explainer(problem, plan, mustStop, wanted).phased());
    }

    private static List<Explanation> plain(Plan plan, Predicate<String> wanted) {
        List<Explanation> explanations = new ArrayList<>();
        for (Phase phase : plan.phases()) {
            for (Assignment assignment : phase.assignments()) {
                if (wanted.test(assignment.job())) {
                    explanations.add(plain(assignment));
                }
            }
        }
        return explanations;
    }

    private static Explanation plain(Assignment assignment) {
        String part = "";
        if (assignment.fraction() != 1) {
            part = String.format(Locale.ROOT, " and does %.1f %% of its work", 100 * assignment.fraction());
        }
        return new Explanation(
                assignment.job(),
                String.format(
                        Locale.ROOT,
                        "%s runs as %s on %s from %.6g to %.6g s%s.",
                        assignment.job(),
                        assignment.role().key(),
                        Vm.count(assignment.vms()),
                        assignment.start(),
                        assignment.end(),
                        part),
                Double.NaN);
    }

    private List<Explanation> phased() {
        Map<String, Integer> index = new HashMap<>();
        for (int j = 0; j < problem.jobs().size(); j++) {
            index.put(problem.jobs().get(j).name(), j);
        }
        for (Phase phase : plan.phases()) {
            phases.add(phase.assignments().stream()
                    .mapToInt(s -> index.getOrDefault(s.job(), 0))
                    .sorted()
                    .toArray());
            lengths.add(phase.seconds());
            makespan += phase.seconds();
        }
        List<Explanation> explanations = new ArrayList<>();
        for (int p = 0; p < phases.size(); p++) {
            for (Assignment assignment : plan.phases().get(p).assignments()) {
                if (!wanted.test(assignment.job())) {
                    continue;
                }
                if (mustStop.getAsBoolean()) {
                    explanations.add(plain(assignment));
                } else {
                    explanations.add(explanation(p, assignment, index.getOrDefault(assignment.job(), 0)));
                }
            }
        }
        return explanations;
    }

    private Explanation explanation(int p, Assignment assignment, int j) {
        double best = Double.POSITIVE_INFINITY;
        String otherwise = "";
        double without = makespan - lengths.get(p) + length(remove(phases.get(p), j));
        if (phases.get(p).length > 1) {
            best = without + table.fastest(j);
            otherwise = "alone on all " + table.slots + " slots";
        }
        for (int q = 0; q < phases.size(); q++) {
            if (q != p && phases.get(q).length < table.slots) {
                double moved = without - lengths.get(q) + length(add(phases.get(q), j));
                if (moved < best) {
                    best = moved;
                    otherwise = "in phase " + (q + 1);
                }
            }
        }
        if (assignment.role() != Role.NORMAL && phases.get(p).length <= table.slots) {
            int[] phase = phases.get(p);
            JobTable part = table.of(phase).withNormal(Arrays.binarySearch(phase, j));
            double normal = makespan - lengths.get(p) + length(part);
            if (normal < best) {
                best = normal;
                otherwise = "as a normal job in the same phase";
            }
        }
        return new Explanation(
                assignment.job(), sentence(p, assignment, best, otherwise), otherwise.isEmpty() ? Double.NaN : best);
    }

    private String sentence(int p, Assignment assignment, double best, String otherwise) {
        String what = String.format(
                Locale.ROOT,
                "%s runs in phase %d %s, as %s on %s, %.6g s%s",
                assignment.job(),
                p + 1,
                company(phases.get(p).length - 1),
                assignment.role().key(),
                Vm.count(assignment.vms()),
                assignment.seconds(),
                slack(plan.phases().get(p).seconds() - assignment.seconds()));
        if (otherwise.isEmpty()) {
            return what + "; there is no other choice.";
        }
        return what
                + String.format(
                        Locale.ROOT,
                        "; the best other choice, %s, makes the plan %.6g s (%+.2f %%).",
                        otherwise,
                        best,
                        100 * (best / makespan - 1));
    }

    private static String company(int others) {
        if (others == 0) {
            return "alone";
        }
        return others == 1 ? "with 1 other job" : "with " + others + " other jobs";
    }

    private String slack(double seconds) {
        if (seconds <= 1e-9 * plan.makespan()) {
            return ", which sets the length of the phase";
        }
        return String.format(Locale.ROOT, " (%.4g s less than the phase)", seconds);
    }

    private double length(int[] set) {
        return set.length == 0 ? 0 : length(table.of(set));
    }

    /** Shortest phase of all jobs of a table: exact for few jobs, nearly exact for many. */
    private static double length(JobTable part) {
        if (part.jobs <= SubsetPlanner.MOST_JOBS && (long) part.slots * part.jobs <= 20_000) {
            return new PhaseOracle(part).leastSeconds((1 << part.jobs) - 1, 0, Double.POSITIVE_INFINITY);
        }
        return new LargeOracle(part)
                .shortest(IntStream.range(0, part.jobs).toArray())
                .seconds();
    }

    private static int[] remove(int[] set, int j) {
        return Arrays.stream(set).filter(i -> i != j).toArray();
    }

    private static int[] add(int[] set, int j) {
        int[] more = Arrays.copyOf(set, set.length + 1);
        more[set.length] = j;
        Arrays.sort(more);
        return more;
    }
}
