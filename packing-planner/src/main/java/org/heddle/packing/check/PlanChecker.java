// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Phase;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PlanKind;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;
import org.jspecify.annotations.Nullable;

/**
 * Checks any plan against the rules of {@link Rule} and recomputes makespan and area bound. It uses no code of the
 * planners. Times may differ from the models by a relative 1e-7, because files hold rounded numbers.
 */
public final class PlanChecker {
    static final double TOLERANCE = 1e-7;

    private final Problem problem;
    private final Plan plan;
    private final Map<String, Job> jobs = new HashMap<>();
    private final Map<String, Integer> index = new HashMap<>();
    private final RunTimes times;
    private final List<Violation> violations = new ArrayList<>();

    private PlanChecker(Problem problem, Plan plan) {
        this.problem = problem;
        this.plan = plan;
        times = new RunTimes(problem);
        for (Job job : problem.jobs()) {
            index.put(job.name(), jobs.size());
            jobs.put(job.name(), job);
        }
    }

    /** The result of the check of a plan. */
    public static CheckResult check(Problem problem, Plan plan) {
        return new PlanChecker(problem, plan).result();
    }

    /**
     * The result of the check of a plan and of what its file says of its quality.
     *
     * @param gap (makespan - lowerBound) / lowerBound; NaN if the file does not say
     * @param optimal null if the file does not say
     */
    public static CheckResult check(Problem problem, Plan plan, double gap, @Nullable Boolean optimal) {
        PlanChecker checker = new PlanChecker(problem, plan);
        double real = plan.lowerBound() > 0 ? plan.makespan() / plan.lowerBound() - 1 : Double.POSITIVE_INFINITY;
        if (!Double.isNaN(gap) && !(Math.abs(gap - real) <= TOLERANCE * Math.max(1, real))) {
            checker.refuse(Rule.GAP, "gap", "claims " + gap + ", makespan and lowerBound give " + real);
        }
        if (optimal != null && optimal != (real <= Plan.PROVEN)) {
            checker.refuse(Rule.OPTIMAL, "optimal", "claims " + optimal + ", the gap is " + real);
        }
        return checker.result();
    }

    private CheckResult result() {
        checkJobs();
        for (int i = 0; i < plan.phases().size(); i++) {
            String where = "phases[" + i + "]";
            Phase phase = plan.phases().get(i);
            checkAssignments(where, phase);
            new PlacementCheck(problem, plan.kind(), violations::add).check(where, phase);
        }
        checkTimes();
        double makespan = 0;
        for (Phase phase : plan.phases()) {
            for (Assignment assignment : phase.assignments()) {
                makespan = Math.max(makespan, assignment.end());
            }
        }
        double area = new AreaCheck(times).bound();
        checkClaims(makespan, area);
        return new CheckResult(violations, makespan, area);
    }

    private void refuse(Rule rule, String where, String text) {
        violations.add(new Violation(rule, where, text));
    }

    private void checkJobs() {
        Map<String, Double> done = new HashMap<>();
        for (int i = 0; i < plan.phases().size(); i++) {
            Set<String> here = new HashSet<>();
            for (Assignment assignment : plan.phases().get(i).assignments()) {
                String where = "phases[" + i + "]." + assignment.job();
                if (!jobs.containsKey(assignment.job())) {
                    refuse(Rule.UNKNOWN_JOB, where, "no such job in the problem");
                }
                boolean again = plan.kind() != PlanKind.MALLEABLE && done.containsKey(assignment.job());
                if (!here.add(assignment.job()) || again) {
                    refuse(Rule.JOB_REPEATED, where, "the job has run before");
                }
                boolean whole = plan.kind() != PlanKind.MALLEABLE;
                if (whole ? assignment.fraction() != 1 : !(assignment.fraction() > 0 && assignment.fraction() <= 1)) {
                    refuse(Rule.WORK_FRACTION, where, "does " + assignment.fraction() + " of the job's work");
                }
                done.merge(assignment.job(), assignment.fraction(), Double::sum);
            }
        }
        for (Job job : problem.jobs()) {
            Double part = done.get(job.name());
            if (part == null) {
                refuse(Rule.JOB_MISSING, "phases", "job " + job.name() + " never runs");
            } else if (plan.kind() == PlanKind.MALLEABLE && !(Math.abs(part - 1) <= TOLERANCE)) {
                refuse(
                        Rule.WORK_FRACTION,
                        "phases",
                        "job " + job.name() + " gets " + part + " of its work done, not 1");
            }
        }
    }

    private void checkAssignments(String at, Phase phase) {
        boolean hosts = phase.assignments().stream().anyMatch(s -> s.role() == Role.HOST);
        for (Assignment assignment : phase.assignments()) {
            String where = at + "." + assignment.job();
            Job job = jobs.get(assignment.job());
            if (job == null) {
                continue;
            }
            if (assignment.role() == Role.HOST && !job.io()) {
                refuse(Rule.ROLE_CLASS, where, "hosts extras but is not I/O intensive");
            }
            if (assignment.role() == Role.EXTRA && !job.cpu()) {
                refuse(Rule.ROLE_CLASS, where, "is extra but not CPU intensive");
            }
            if (assignment.role() == Role.EXTRA && !hosts) {
                refuse(Rule.EXTRA_WITHOUT_HOST, where, "no host runs in this phase");
            }
            int extras = problem.machines() * problem.extrasPerMachine();
            int most = assignment.role() == Role.EXTRA ? extras : problem.slots();
            if (assignment.vms() < 1 || assignment.vms() > most) {
                refuse(Rule.VM_COUNT, where, assignment.vms() + " VMs, must be 1 to " + most);
                continue;
            }
            double expected = assignment.fraction()
                    * penalty(phase, assignment)
                    * times.seconds(index.getOrDefault(job.name(), 0), assignment.vms());
            if (!(Math.abs(assignment.seconds() - expected) <= TOLERANCE * expected)) {
                refuse(
                        Rule.DURATION,
                        where,
                        "claims " + assignment.seconds() + " s, the model says " + expected + " s");
            }
        }
    }

    /** The largest factor among the partners in the phase: one slowed VM slows the whole job (D5). */
    private double penalty(Phase phase, Assignment assignment) {
        double factor = 1;
        for (Assignment other : phase.assignments()) {
            if (assignment.role() == Role.HOST && other.role() == Role.EXTRA) {
                factor = Math.max(factor, problem.alpha().of(assignment.job(), other.job()));
            } else if (assignment.role() == Role.EXTRA && other.role() == Role.HOST) {
                factor = Math.max(factor, problem.alpha().of(other.job(), assignment.job()));
            }
        }
        return factor;
    }

    private void checkTimes() {
        double slack = TOLERANCE * Math.abs(plan.makespan());
        double end = 0;
        for (int i = 0; i < plan.phases().size(); i++) {
            Phase phase = plan.phases().get(i);
            String where = "phases[" + i + "]";
            if (!(phase.start() >= end - slack)) {
                refuse(Rule.TIMING, where, "starts at " + phase.start() + " s, before " + end + " s");
            }
            end = phase.start() + phase.seconds();
            for (Assignment assignment : phase.assignments()) {
                boolean inside = assignment.start() >= phase.start() - slack && assignment.end() <= end + slack;
                boolean atStart =
                        plan.kind() == PlanKind.NONPHASED || Math.abs(assignment.start() - phase.start()) <= slack;
                if (!inside || !atStart) {
                    refuse(
                            Rule.TIMING,
                            where + "." + assignment.job(),
                            "runs from " + assignment.start() + " to " + assignment.end() + " s, its phase from "
                                    + phase.start() + " to " + end + " s");
                }
            }
        }
    }

    private void checkClaims(double makespan, double area) {
        if (!(Math.abs(plan.makespan() - makespan) <= TOLERANCE * makespan)) {
            refuse(
                    Rule.MAKESPAN,
                    "makespan",
                    "claims " + plan.makespan() + " s, the last job ends at " + makespan + " s");
        }
        if (!(plan.lowerBound() <= makespan * (1 + TOLERANCE)) || !(plan.lowerBound() > 0)) {
            refuse(
                    Rule.LOWER_BOUND,
                    "lowerBound",
                    "claims " + plan.lowerBound() + " s for a plan of " + makespan + " s");
        }
        boolean rigid = plan.kind() != PlanKind.MALLEABLE;
        if (rigid && !(plan.lowerBound() >= area * (1 - 1e-6))) {
            refuse(
                    Rule.LOWER_BOUND,
                    "lowerBound",
                    "claims " + plan.lowerBound() + " s, the area bound is " + area + " s");
        }
    }
}
