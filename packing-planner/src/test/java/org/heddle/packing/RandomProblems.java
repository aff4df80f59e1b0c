// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.PowerModel;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.RuntimeModel;
import org.heddle.packing.model.WaveModel;

/** Seeded problems: all class combinations, r from 1 to k, staircases and superlinear jobs among them. */
public final class RandomProblems {
    private RandomProblems() {}

    /** A problem with {@code jobs} jobs on {@code machines} x {@code disks}; the seed decides the rest. */
    public static Problem of(long seed, int jobs, int machines, int disks) {
        Random random = new Random(seed);
        int ratio = 1 + random.nextInt(disks);
        double alpha = 1 + random.nextInt(8) / 10.0;
        List<Job> all = new ArrayList<>();
        for (int j = 0; j < jobs; j++) {
            double a = 50 * Math.exp(4 * random.nextDouble());
            RuntimeModel model = random.nextInt(6) == 0
                    ? new WaveModel(1 + random.nextInt(30), a / 10, random.nextInt(3))
                    : new PowerModel(a, -1.3 * random.nextDouble(), random.nextInt(3) == 0 ? 5 : 0);
            all.add(new Job("j" + j, model, random.nextBoolean(), random.nextBoolean()));
        }
        return new Problem("seed" + seed, machines, disks, ratio, new Alpha(alpha), all);
    }

    /** The same problem with a measured factor for some pairs. */
    public static Problem withMeasuredAlpha(Problem problem, long seed) {
        Random random = new Random(seed);
        Map<Alpha.Pair, Double> measured = new HashMap<>();
        for (Job host : problem.jobs()) {
            for (Job extra : problem.jobs()) {
                if (random.nextInt(3) == 0) {
                    measured.put(new Alpha.Pair(host.name(), extra.name()), 1 + random.nextDouble());
                }
            }
        }
        return new Problem(
                problem.id(),
                problem.machines(),
                problem.disks(),
                problem.ratio(),
                new Alpha(problem.alpha().constant(), measured),
                problem.jobs());
    }

    /** Jobs that shrink smoothly and sublinearly, as on large clusters. */
    public static Problem large(long seed, int jobs, int machines, int disks, boolean classes) {
        Random random = new Random(seed);
        List<Job> all = new ArrayList<>();
        for (int j = 0; j < jobs; j++) {
            double a = 500 * Math.exp(4 * random.nextDouble());
            double b = -0.3 - 0.7 * random.nextDouble();
            all.add(new Job(
                    "j" + j, new PowerModel(a, b), classes && random.nextBoolean(), classes && random.nextBoolean()));
        }
        return new Problem("large" + seed, machines, disks, disks, new Alpha(1.3), all);
    }
}
