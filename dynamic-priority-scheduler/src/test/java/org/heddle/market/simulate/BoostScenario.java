// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.simulate;

import java.util.ArrayList;
import java.util.List;
import org.heddle.market.TestTerms;

/** Ten users with ten equal jobs each; user n has four times the rate during its job n (paper 4.4). */
public final class BoostScenario {
    /** Users, and jobs of each. */
    public static final int USERS = 10;

    private static final long INTERVAL_MILLIS = 5_000;
    private static final long SLOTS = 130;
    private static final long TASK_MILLIS = 5_000;
    /** Of one job alone on the whole cluster. */
    private static final long JOB_MILLIS = 400_000;

    private BoostScenario() {}

    /**
     * What came of it.
     *
     * @param seconds of each job, by user and number
     * @param makespan in times of one job alone on the cluster
     */
    public record Outcome(List<List<Double>> seconds, double makespan) {
        /** Seconds of the jobs with the boost. */
        public List<Double> boosted() {
            return jobs(true);
        }

        /** Seconds of the jobs without it. */
        public List<Double> others() {
            return jobs(false);
        }

        private List<Double> jobs(boolean boosted) {
            List<Double> jobs = new ArrayList<>();
            for (int user = 0; user < USERS; user++) {
                for (int job = 0; job < USERS; job++) {
                    if ((user == job) == boosted) {
                        jobs.add(seconds.get(user).get(job));
                    }
                }
            }
            return jobs;
        }

        /** Mean time of a job without the boost by that of one with it. */
        public double ratio() {
            return mean(others()) / mean(boosted());
        }

        private static double mean(List<Double> values) {
            return values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
        }
    }

    /** Runs all jobs to their end. */
    public static Outcome run() {
        Simulator sim = new Simulator(TestTerms.PAPER.every(INTERVAL_MILLIS).get(), SLOTS);
        List<List<Simulator.Job>> jobs = new ArrayList<>();
        for (int user = 0; user < USERS; user++) {
            sim.queue("user" + user, "1", "9000000000");
            jobs.add(new ArrayList<>());
        }
        for (int job = 0; job < USERS; job++) {
            for (int user = 0; user < USERS; user++) {
                jobs.get(user).add(sim.submit("user" + user, JOB_MILLIS * SLOTS / TASK_MILLIS, TASK_MILLIS));
            }
        }
        // Every user's rate follows the job that it is at.
        sim.observe(epoch -> {
            for (int user = 0; user < USERS; user++) {
                Simulator.Job boosted = jobs.get(user).get(user);
                boolean runs = boosted.startMillis() >= 0 && boosted.endMillis() < 0;
                sim.setSpending("user" + user, runs ? "4" : "1");
            }
        });
        sim.runToEnd(Long.MAX_VALUE);
        long end = jobs.stream()
                .flatMap(List::stream)
                .mapToLong(Simulator.Job::endMillis)
                .max()
                .orElseThrow();
        List<List<Double>> seconds = jobs.stream()
                .map(ofUser -> ofUser.stream()
                        .map(job -> (job.endMillis() - job.startMillis()) / 1e3)
                        .toList())
                .toList();
        return new Outcome(seconds, (double) end / JOB_MILLIS);
    }
}
