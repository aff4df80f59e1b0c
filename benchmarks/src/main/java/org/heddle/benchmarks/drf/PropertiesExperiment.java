// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.drf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Published;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.experiment.Spread;
import org.heddle.scheduler.policy.JainIndex;

/** What share orders guarantee: counted in random clusters, where the papers argue. */
public final class PropertiesExperiment implements Experiment {
    private static final int CLUSTERS = 100;
    /** Users stop one after another as resources run out, each up to a task early. */
    private static final double GRAIN = 0.02;

    private static final List<String> ORDERS = List.of("drf", "asset", "max-utilization");

    @Override
    public Description description() {
        return new Description(
                "drf-properties",
                "DRF: share guarantee and gaming in random clusters",
                Paper.NEXUS,
                "sections 4 and 4.1",
                List.of(
                        new Published(
                                "drf", "guarantees 1/n of a resource to each of n users, and is harder to game", "4.1"),
                        new Published("asset", "may give a user less than half of both resources, of two users", "4"),
                        new Published("max-utilization", "can always be gamed", "4.1")),
                "The report argues with examples; here 100 random clusters for each seed, with two to six users and two or"
                        + " three resources, are filled with whole tasks, a guarantee counts as broken beyond 2 % and a gain as"
                        + " one from 2 % on, and each user overstates one need once.");
    }

    @Override
    public Effort effort() {
        return Effort.simulated(0.5, 5, 2, 20);
    }

    @Override
    public Measurement run(Run run) {
        List<Row> rows = new ArrayList<>();
        for (String order : ORDERS) {
            run.tell(order);
            List<Outcome> outcomes =
                    run.seeds().stream().map(seed -> outcome(order, seed)).toList();
            rows.add(Row.of(order)
                    .with(
                            "guarantee broken, % of users",
                            Spread.of(outcomes.stream().map(Outcome::broken).toList()))
                    .with(
                            "gain by overstating, % of users",
                            Spread.of(outcomes.stream().map(Outcome::gained).toList()))
                    .with(
                            "Jain's index, mean",
                            Spread.of(outcomes.stream().map(Outcome::jain).toList())));
        }
        return Measurement.of(rows);
    }

    /** Of all clusters of one seed. */
    private record Outcome(double broken, double gained, double jain) {}

    private static Outcome outcome(String order, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int users = 0;
        int broken = 0;
        int gained = 0;
        double jain = 0;
        for (int i = 0; i < CLUSTERS; i++) {
            RandomUsers cluster = RandomUsers.draw(random);
            OneNode filled = cluster.filled(order);
            double[] shares = new double[cluster.users()];
            Arrays.setAll(shares, filled::dominantShare);
            jain += JainIndex.of(shares, shares.length) / CLUSTERS;
            users += shares.length;
            for (int user = 0; user < shares.length; user++) {
                broken += shares[user] * shares.length < 1 - GRAIN ? 1 : 0;
                long more = cluster.overstated(user, random).filled(order).tasks(user);
                gained += more > (1 + GRAIN) * filled.tasks(user) ? 1 : 0;
            }
        }
        return new Outcome(100.0 * broken / users, 100.0 * gained / users, jain);
    }
}
