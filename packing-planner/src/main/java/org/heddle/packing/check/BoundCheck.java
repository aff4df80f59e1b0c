// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PlanKind;
import org.heddle.packing.model.Problem;

/**
 * Checks the lower bound that a plan claims, without code of the planners. A bound up to the area bound is proven. Small
 * problems are solved. For others the checker searches for a plan that is shorter than the bound: that refutes it.
 */
public final class BoundCheck {
    private static final double EXACT_PART = 0.6;
    private static final double SEARCH_PART = 0.5;
    private static final long MOST_CELLS = 2_000_000;
    private static final int MOST_NAMES = 12;

    private final Plan plan;
    private final RunTimes times;
    private final LongSupplier nanoTime;
    private final long started;
    private final double limitSeconds;
    private final RandomGenerator random;

    private BoundCheck(Problem problem, Plan plan, LongSupplier nanoTime, double limitSeconds, RandomGenerator random) {
        this.plan = plan;
        this.nanoTime = nanoTime;
        this.limitSeconds = limitSeconds;
        this.random = random;
        times = new RunTimes(problem);
        started = nanoTime.getAsLong();
    }

    /**
     * Checks the lower bound of a plan that {@link PlanChecker} accepts.
     *
     * @param nanoTime a clock like {@link System#nanoTime()}
     * @param limitSeconds longest search
     */
    public static BoundResult check(
            Problem problem, Plan plan, LongSupplier nanoTime, double limitSeconds, RandomGenerator random) {
        return new BoundCheck(problem, plan, nanoTime, limitSeconds, random).result();
    }

    private BooleanSupplier after(double partOfLimit) {
        return () -> (nanoTime.getAsLong() - started) / 1e9 >= partOfLimit * limitSeconds;
    }

    private boolean holdsFor(double seconds) {
        return plan.lowerBound() <= seconds * (1 + PlanChecker.TOLERANCE);
    }

    private BoundResult result() {
        double area = plan.kind() == PlanKind.MALLEABLE ? 0 : new AreaCheck(times).bound();
        if (holdsFor(area)) {
            return BoundResult.proven(String.format(Locale.ROOT, "the area bound is %.9g s", area));
        }
        if ((long) times.jobs * times.slots > MOST_CELLS) {
            return BoundResult.notJudged("the problem is too large to search for a shorter plan");
        }
        if (times.jobs <= ShortestPhasedPlan.MOST_JOBS) {
            ShortestPhasedPlan exact = new ShortestPhasedPlan(times);
            OptionalDouble shortest = exact.seconds(after(EXACT_PART));
            if (shortest.isPresent() && !holdsFor(shortest.getAsDouble())) {
                return refuted(shortest.getAsDouble(), exact.phases());
            }
            if (shortest.isPresent() && plan.kind() == PlanKind.PHASED) {
                return BoundResult.proven(String.format(
                        Locale.ROOT, "the shortest of all phased plans takes %.9g s", shortest.getAsDouble()));
            }
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
        if (plan.kind() == PlanKind.MALLEABLE) {
            MalleableBounds bounds = new MalleableBounds(times, plan.makespan());
            if (bounds.canSolve()) {
                bounds.narrow(plan.lowerBound(), after(1));
                if (!holdsFor(bounds.shortestFound())) {
                    return BoundResult.refuted(
                            String.format(Locale.ROOT, "a malleable plan of %.9g s exists", bounds.shortestFound()));
                }
                if (holdsFor(bounds.proven())) {
                    return BoundResult.proven(String.format(
                            Locale.ROOT, "a linear program over all malleable plans gives %.9g s", bounds.proven()));
                }
            }
        }
        if (plan.kind() != PlanKind.PHASED) {
            ListScheduleSearch search = new ListScheduleSearch(times, plan, random);
            double seconds = search.shorterThan(plan.lowerBound() * (1 - PlanChecker.TOLERANCE), after(1));
            if (!holdsFor(seconds)) {
                return BoundResult.refuted(String.format(
                        Locale.ROOT,
                        "a plan of %.9g s exists: each job starts as soon as it fits, %s",
                        seconds,
                        search.schedule()));
            }
        }
        return BoundResult.notJudged(String.format(
                Locale.ROOT,
                "%d jobs on %d slots are too many to try all %s plans; a search of %.3g s found none that is shorter",
                times.jobs,
                times.slots,
                plan.kind().key(),
                limitSeconds));
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
