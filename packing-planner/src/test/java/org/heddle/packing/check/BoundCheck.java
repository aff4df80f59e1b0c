// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.heddle.packing.model.Certificate;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PlanKind;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.TimedSolver;
import org.jspecify.annotations.Nullable;

/**
 * Checks the lower bound that a plan claims, without code of the planners. A bound up to the area bound is proven, and
 * so is one that follows from the certificate of the plan. Otherwise problems are solved, if they are small enough, or
 * the checker searches for a plan that is shorter than the bound: that refutes it. A bound that none of this can prove
 * is no bound.
 */
public final class BoundCheck {
    private static final double EXACT_PART = 0.6;
    private static final double SEARCH_PART = 0.5;
    private static final long MOST_CELLS = 2_000_000;
    private static final int MOST_NAMES = 12;
    /** An exact solver counts in whole millionths of the makespan. */
    private static final double SOLVER_ROUNDING = 1e-5;

    private final Plan plan;
    private final BoundTimes times;
    private final @Nullable TimedSolver solver;
    private final LongSupplier nanoTime;
    private final long started;
    private final double limitSeconds;
    private final RandomGenerator random;
    private double certified;
    private boolean timeEnded;

    private BoundCheck(
            Problem problem,
            Plan plan,
            @Nullable TimedSolver solver,
            LongSupplier nanoTime,
            double limitSeconds,
            RandomGenerator random) {
        this.plan = plan;
        this.solver = solver;
        this.nanoTime = nanoTime;
        this.limitSeconds = limitSeconds;
        this.random = random;
        times = new BoundTimes(problem);
        started = nanoTime.getAsLong();
    }

    /**
     * Checks the lower bound of a plan that {@link PlanChecker} accepts.
     *
     * @param solver for bounds of plans without phases that a solver has claimed; null if there is none
     * @param nanoTime a clock like {@link System#nanoTime()}
     * @param limitSeconds longest search
     */
    public static BoundResult check(
            Problem problem,
            Plan plan,
            @Nullable TimedSolver solver,
            LongSupplier nanoTime,
            double limitSeconds,
            RandomGenerator random) {
        return new BoundCheck(problem, plan, solver, nanoTime, limitSeconds, random).result();
    }

    private double elapsed() {
        return (nanoTime.getAsLong() - started) / 1e9;
    }

    private BooleanSupplier after(double partOfLimit) {
        return () -> elapsed() >= partOfLimit * limitSeconds;
    }

    private boolean holdsFor(double seconds) {
        return plan.lowerBound() <= seconds * (1 + PlanChecker.TOLERANCE);
    }

    private BoundResult result() {
        double area = plan.kind() == PlanKind.MALLEABLE ? 0 : new AreaCheck(times).bound();
        if (holdsFor(area)) {
            return BoundResult.proven(String.format(Locale.ROOT, "the area bound is %.9g s", area));
        }
        Certificate certificate = plan.certificate();
        if (certificate != null) {
            OptionalDouble seconds =
                    new CertificateCheck(times).seconds(certificate, plan.kind(), plan.lowerBound(), after(1));
            timeEnded |= seconds.isEmpty();
            certified = seconds.orElse(0);
            if (holdsFor(certified)) {
                return BoundResult.proven("its certificate (" + certificate.kind() + ") was verified");
            }
        }
        if (timeEnded || (long) times.jobs * times.slots > MOST_CELLS) {
            return open();
        }
        int most = plan.kind() == PlanKind.PHASED ? ShortestPhasedPlan.MOST_JOBS : ShortestPhasedPlan.FEW_JOBS;
        if (times.jobs <= most) {
            ShortestPhasedPlan exact = new ShortestPhasedPlan(times);
            OptionalDouble shortest = exact.seconds(after(EXACT_PART));
            if (shortest.isPresent() && !holdsFor(shortest.getAsDouble())) {
                return refuted(shortest.getAsDouble(), exact.phases());
            }
            if (shortest.isPresent() && plan.kind() == PlanKind.PHASED) {
                return BoundResult.proven(String.format(
                        Locale.ROOT, "the shortest of all phased plans takes %.9g s", shortest.getAsDouble()));
            }
            timeEnded |= plan.kind() == PlanKind.PHASED;
            return shortest.isPresent() ? searchOtherKinds() : search();
        }
        return search();
    }

    private BoundResult search() {
        double part = plan.kind() == PlanKind.PHASED ? 1 : EXACT_PART + (1 - EXACT_PART) * SEARCH_PART;
        PhasedPlanSearch search = new PhasedPlanSearch(times, plan, random);
        double seconds = search.shorterThan(plan.lowerBound() * (1 - PlanChecker.TOLERANCE), after(part));
        return holdsFor(seconds) ? searchOtherKinds() : refuted(seconds, search.phases());
    }

    private BoundResult searchOtherKinds() {
        BoundResult result = null;
        if (plan.kind() == PlanKind.MALLEABLE) {
            result = solveMalleable();
        } else if (plan.kind() == PlanKind.NONPHASED) {
            result = solveTimed();
        }
        if (result == null && plan.kind() != PlanKind.PHASED) {
            ListScheduleSearch search = new ListScheduleSearch(times, plan, random);
            double seconds = search.shorterThan(plan.lowerBound() * (1 - PlanChecker.TOLERANCE), after(1));
            if (!holdsFor(seconds)) {
                result = BoundResult.refuted(String.format(
                        Locale.ROOT,
                        "a plan of %.9g s exists: each job starts as soon as it fits, %s",
                        seconds,
                        search.schedule()));
            }
        }
        return result == null ? open() : result;
    }

    private @Nullable BoundResult solveMalleable() {
        MalleableBounds bounds = new MalleableBounds(times, plan.makespan());
        if (!bounds.canSolve()) {
            return null;
        }
        BooleanSupplier end = after(1);
        bounds.narrow(plan.lowerBound(), end);
        if (!holdsFor(bounds.shortestFound())) {
            return BoundResult.refuted(
                    String.format(Locale.ROOT, "a malleable plan of %.9g s exists", bounds.shortestFound()));
        }
        if (holdsFor(bounds.proven())) {
            return BoundResult.proven(String.format(
                    Locale.ROOT, "a linear program over all malleable plans gives %.9g s", bounds.proven()));
        }
        timeEnded |= end.getAsBoolean();
        return null;
    }

    private @Nullable BoundResult solveTimed() {
        TimedSolver.Instance instance = solver == null ? null : new TimedModes(times, plan).instance();
        if (solver == null || instance == null) {
            return null;
        }
        double seconds =
                solver.solve(instance, limitSeconds - elapsed(), after(1)).lowerBound();
        if (plan.lowerBound() <= seconds * (1 + SOLVER_ROUNDING)) {
            return BoundResult.proven(
                    String.format(Locale.ROOT, "%s, which solved it again, gives %.7g s", solver.name(), seconds));
        }
        timeEnded = true;
        return null;
    }

    /** The bound was neither proven nor refuted. */
    private BoundResult open() {
        if (timeEnded) {
            String seconds =
                    BigDecimal.valueOf(limitSeconds).stripTrailingZeros().toPlainString();
            return BoundResult.notConfirmed("not confirmed within " + seconds + " s");
        }
        if (certified > 0) {
            return BoundResult.noCertificate(
                    String.format(Locale.ROOT, "the certificate proves %.9g s only", certified));
        }
        if (plan.certificate() != null) {
            return BoundResult.noCertificate("the certificate proves nothing");
        }
        return BoundResult.noCertificate(String.format(
                Locale.ROOT,
                "%d jobs on %d slots are too many to try all %s plans",
                times.jobs,
                times.slots,
                plan.kind().key()));
    }

    private BoundResult refuted(double seconds, List<int[]> phases) {
        List<String> names = new ArrayList<>();
        for (int[] phase : phases) {
            names.add(String.join(
                    " + ",
                    Arrays.stream(phase).mapToObj(j -> times.job(j).name()).toList()));
        }
        String shown = String.join("; ", names.subList(0, Math.min(MOST_NAMES, names.size())));
        return BoundResult.refuted(String.format(
                Locale.ROOT,
                "a phased plan of %.9g s exists: %s%s",
                seconds,
                shown,
                names.size() > MOST_NAMES ? "; and so on" : ""));
    }
}
