// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Phase;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PlanKind;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;
import org.heddle.packing.model.RuntimeModel;

/**
 * What a plan has to beat: all jobs are submitted at once, and the scheduler divides the VMs among those that run,
 * again whenever one ends. A job that has n of N VMs for a second does 1 / F(n) of its work; nobody gets more VMs than
 * help it. Reduces start when all maps have ended, as they do with slowstart 1; with less the jobs end later.
 */
public final class AtOnce {
    private static final double DONE = 1e-9;

    private final int slots;
    private final List<RuntimeModel> models;
    private final double[] weights;
    private final int[] useful;
    private final double[] left;
    /** When each job has ended, in seconds. */
    private final double[] ends;

    private AtOnce(Problem problem, ToDoubleFunction<Job> weight) {
        slots = problem.slots();
        models = problem.jobs().stream().map(Job::model).toList();
        weights = problem.jobs().stream().mapToDouble(weight).toArray();
        useful = models.stream().mapToInt(model -> useful(model, slots)).toArray();
        left = new double[models.size()];
        Arrays.fill(left, 1);
        ends = new double[models.size()];
    }

    /** Seconds to the end of the last job, if all have the same share. */
    public static double withEqualShares(Problem problem) {
        return new AtOnce(problem, job -> 1).seconds();
    }

    /** The same, if shares are in proportion to the work of the jobs, which is F(1). */
    public static double withSharesByWork(Problem problem) {
        return new AtOnce(problem, job -> job.model().seconds(1)).seconds();
    }

    /**
     * All jobs from the beginning, each with as many VMs as it can get. It is no plan that a checker accepts, for the
     * scheduler divides the VMs; its times are those of equal shares.
     */
    public static Plan plan(Problem problem) {
        AtOnce all = new AtOnce(problem, job -> 1);
        double end = all.seconds();
        List<Assignment> jobs = new ArrayList<>();
        for (int j = 0; j < all.ends.length; j++) {
            String name = problem.jobs().get(j).name();
            jobs.add(new Assignment(name, Role.NORMAL, problem.slots(), 0, all.ends[j], 1, List.of()));
        }
        Phase phase = new Phase(0, end, jobs);
        return new Plan(problem.id(), "at once", PlanKind.NONPHASED, end, 0, "not given", List.of(phase), List.of());
    }

    /** With more VMs than this a job does not end sooner. */
    private static int useful(RuntimeModel model, int slots) {
        double least = model.seconds(slots);
        int low = 1;
        int high = slots;
        while (low < high) { // F falls up to some n and is level then, but for what jobs leave idle
            int middle = (low + high) >>> 1;
            if (model.seconds(middle) <= least * (1 + DONE)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private double seconds() {
        double now = 0;
        double[] rates = new double[left.length];
        while (Arrays.stream(left).anyMatch(part -> part > DONE)) {
            double[] shares = shares();
            double step = Double.POSITIVE_INFINITY;
            for (int j = 0; j < left.length; j++) {
                rates[j] = left[j] > DONE ? rate(models.get(j), shares[j]) : 0;
                if (rates[j] > 0) {
                    step = Math.min(step, left[j] / rates[j]);
                }
            }
            now += step;
            for (int j = 0; j < left.length; j++) {
                boolean ran = left[j] > DONE;
                left[j] = Math.max(0, left[j] - rates[j] * step);
                if (ran && left[j] <= DONE) {
                    ends[j] = now;
                }
            }
        }
        return now;
    }

    /** Weighted max-min: who cannot use its part leaves the rest to the others. */
    private double[] shares() {
        double[] shares = new double[left.length];
        boolean[] settled = new boolean[left.length];
        double free = slots;
        boolean again = true;
        while (again) {
            again = false;
            double sum = 0;
            for (int j = 0; j < left.length; j++) {
                sum += left[j] > DONE && !settled[j] ? weights[j] : 0;
            }
            double before = free;
            for (int j = 0; j < left.length; j++) {
                if (left[j] > DONE && !settled[j]) {
                    shares[j] = before * weights[j] / sum;
                    if (shares[j] >= useful[j]) {
                        shares[j] = useful[j];
                        settled[j] = true;
                        free -= useful[j];
                        again = true;
                    }
                }
            }
        }
        return shares;
    }

    /** Work a second with a number of VMs that need not be whole: they come and go. */
    private static double rate(RuntimeModel model, double vms) {
        int below = (int) Math.floor(vms);
        double part = vms - below;
        double low = below == 0 ? 0 : 1 / model.seconds(below);
        return part == 0 ? low : low + part * (1 / model.seconds(below + 1) - low);
    }
}
