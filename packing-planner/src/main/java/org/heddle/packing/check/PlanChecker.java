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

/**
 * Judges plans of any origin against the rules of {@link Rule} and recomputes makespan and area bound. It
 * uses no code of the planners. Times may differ from the models by a relative 1e-7, so that plans survive
 * a printed form.
 */
public final class PlanChecker {
    static final double TOLERANCE = 1e-7;

    private final Problem problem;
    private final Plan plan;
    private final Map<String, Job> jobs = new HashMap<>();
    private final List<Violation> violations = new ArrayList<>();

    private PlanChecker(Problem problem, Plan plan) {
        this.problem = problem;
        this.plan = plan;
        problem.jobs().forEach(job -> jobs.put(job.name(), job));
    }

    /** The verdict on a plan. */
    public static CheckResult check(Problem problem, Plan plan) {
        return new PlanChecker(problem, plan).verdict();
    }

    private CheckResult verdict() {
        checkJobs();
        for (int i = 0; i < plan.phases().size(); i++) {
            String where = "phases[" + i + "]";
            Phase phase = plan.phases().get(i);
            checkShares(where, phase);
            new PlacementCheck(problem, plan.kind(), violations::add).check(where, phase);
        }
        checkTimes();
        double makespan = 0;
        for (Phase phase : plan.phases()) {
            for (Assignment share : phase.shares()) {
                makespan = Math.max(makespan, share.end());
            }
        }
        double area = new AreaCheck(problem).bound();
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
            for (Assignment share : plan.phases().get(i).shares()) {
                String where = "phases[" + i + "]." + share.job();
                if (!jobs.containsKey(share.job())) {
                    refuse(Rule.UNKNOWN_JOB, where, "no such job in the problem");
                }
                boolean again = plan.kind() != PlanKind.MALLEABLE && done.containsKey(share.job());
                if (!here.add(share.job()) || again) {
                    refuse(Rule.JOB_REPEATED, where, "the job has run before");
                }
                boolean whole = plan.kind() != PlanKind.MALLEABLE;
                if (whole ? share.fraction() != 1 : !(share.fraction() > 0 && share.fraction() <= 1)) {
                    refuse(Rule.WORK_FRACTION, where, "does " + share.fraction() + " of the job's work");
                }
                done.merge(share.job(), share.fraction(), Double::sum);
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

    private void checkShares(String at, Phase phase) {
        boolean hosts = phase.shares().stream().anyMatch(s -> s.role() == Role.HOST);
        for (Assignment share : phase.shares()) {
            String where = at + "." + share.job();
            Job job = jobs.get(share.job());
            if (job == null) {
                continue;
            }
            if (share.role() == Role.HOST && !job.io()) {
                refuse(Rule.ROLE_CLASS, where, "hosts extras but is not I/O intensive");
            }
            if (share.role() == Role.EXTRA && !job.cpu()) {
                refuse(Rule.ROLE_CLASS, where, "is extra but not CPU intensive");
            }
            if (share.role() == Role.EXTRA && !hosts) {
                refuse(Rule.EXTRA_WITHOUT_HOST, where, "no host runs in this phase");
            }
            int most = share.role() == Role.EXTRA
                    ? problem.machines() * (problem.disks() / problem.ratio())
                    : problem.slots();
            if (share.vms() < 1 || share.vms() > most) {
                refuse(Rule.VM_COUNT, where, share.vms() + " VMs, must be 1 to " + most);
                continue;
            }
            double expected = share.fraction() * penalty(phase, share) * fastestUpTo(job, share.vms());
            if (!(Math.abs(share.seconds() - expected) <= TOLERANCE * expected)) {
                refuse(Rule.DURATION, where, "claims " + share.seconds() + " s, the model says " + expected + " s");
            }
        }
    }

    /** A job with n VMs may leave some idle. */
    private static double fastestUpTo(Job job, int vms) {
        double least = job.model().seconds(1);
        for (int n = 2; n <= vms; n++) {
            least = Math.min(least, job.model().seconds(n));
        }
        return least;
    }

    /** The largest factor among the partners in the phase: one slowed VM slows the whole job (D5). */
    private double penalty(Phase phase, Assignment share) {
        double factor = 1;
        for (Assignment other : phase.shares()) {
            if (share.role() == Role.HOST && other.role() == Role.EXTRA) {
                factor = Math.max(factor, problem.alpha().of(share.job(), other.job()));
            } else if (share.role() == Role.EXTRA && other.role() == Role.HOST) {
                factor = Math.max(factor, problem.alpha().of(other.job(), share.job()));
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
            for (Assignment share : phase.shares()) {
                boolean inside = share.start() >= phase.start() - slack && share.end() <= end + slack;
                boolean atStart = plan.kind() == PlanKind.NONPHASED || Math.abs(share.start() - phase.start()) <= slack;
                if (!inside || !atStart) {
                    refuse(
                            Rule.TIMING,
                            where + "." + share.job(),
                            "runs from " + share.start() + " to " + share.end() + " s, its phase from " + phase.start()
                                    + " to " + end + " s");
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
