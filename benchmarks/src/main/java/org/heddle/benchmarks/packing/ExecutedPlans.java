// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.packing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.heddle.benchmarks.experiment.Turns;
import org.heddle.benchmarks.program.PrintedTable;
import org.heddle.benchmarks.rm.Contestant;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.packing.run.Feedback;
import org.heddle.packing.run.RunOutcome;
import org.heddle.testkit.jobs.EmptyJar;

/**
 * Profiles the jobs of {@link PacedJobs}, plans them, and runs them one after another, by plan, and all at once under
 * stock schedulers: {@code ExecutedPlans TREE SCRATCH REPETITIONS}. Prints a line of a table for each way in each
 * repetition.
 */
public final class ExecutedPlans {
    static final List<Contestant> SCHEDULERS = List.of(Contestant.CAPACITY_DEFAULT, Contestant.FAIR_DEFAULT);
    static final String PLANNED = "planned, s";
    static final String EXECUTED = "executed, s";
    static final String ERROR = "executed beside planned, %";
    static final String PLANNED_SAVING = "planned saving, %";
    static final String EXECUTED_SAVING = "executed saving, %";

    private static final Contestant SCHEDULER_OF_PLANS = Contestant.CAPACITY_DEFAULT;
    private static final List<String> PHASED = List.of("sequential", "pair", "phased");
    private static final String NONPHASED = "nonphased";
    private static final String MALLEABLE = "malleable";

    private static final String SEQUENTIAL = name("sequential");
    private static final String PLANNER_OF_FEEDBACK = "phased";
    static final String FEEDBACK = name(PLANNER_OF_FEEDBACK) + ", with feedback";
    private static final double LIMIT_SECONDS = 10;

    private final Path scratch;
    private final Path jar;
    private final List<Way> ways = new ArrayList<>();
    /** Makespans of plans by their names, in seconds. */
    private final Map<String, Double> planned = new LinkedHashMap<>();

    private ExecutedPlans(Path scratch, Path jar, Problem problem) {
        this.scratch = scratch;
        this.jar = jar;
        for (String planner : PHASED) {
            ways.add(byPlan(name(planner), problem, planner));
        }
        Plan nonphased = plan(name(NONPHASED), problem, NONPHASED);
        if (nonphased.makespan() < planned.getOrDefault(name(PLANNER_OF_FEEDBACK), Double.NaN) * (1 - Plan.PROVEN)) {
            ways.add(new Way(name(NONPHASED), SCHEDULER_OF_PLANS, problem, nonphased));
        }
        plan(name(MALLEABLE), problem, MALLEABLE);
        SCHEDULERS.forEach(scheduler -> ways.add(Way.taskPerDisk(scheduler, problem)));
        SCHEDULERS.forEach(scheduler -> ways.add(Way.disksAndCores(scheduler, problem)));
    }

    public static void main(String[] args) throws Exception {
        Path scratch = Path.of(args[1]);
        Path jar = EmptyJar.write(scratch.resolve("jobs.jar"));
        Problem fitted;
        try (PackedCluster cluster = new PackedCluster(SCHEDULER_OF_PLANS, scratch, ExecutedPlans::say)) {
            warmUp(cluster, jar);
            Path log4j = Path.of(args[0]).resolve("benchmarks/bin/quiet.properties");
            fitted = cluster.profile(PacedJobs.all(jar), log4j);
        }
        new ExecutedPlans(scratch, jar, fitted).measure(Integer.parseInt(args[2]));
        System.exit(0); // threads of the clusters may live on
    }

    static String name(String planner) {
        return planner + " plan";
    }

    private static void say(String line) {
        System.out.println(line);
    }

    private static void warmUp(PackedCluster cluster, Path jar) throws Exception {
        Problem problem = PacedJobs.warmUp(jar);
        cluster.execute("warm-up", problem, CheckedPlans.plan(problem, "sequential", LIMIT_SECONDS));
    }

    private Way byPlan(String name, Problem problem, String planner) {
        return new Way(name, SCHEDULER_OF_PLANS, problem, plan(name, problem, planner));
    }

    private Plan plan(String name, Problem problem, String planner) {
        Plan plan = CheckedPlans.plan(problem, planner, LIMIT_SECONDS);
        planned.put(name, plan.makespan());
        say(String.format(Locale.ROOT, "%s: %.1f s", name, plan.makespan()));
        return plan;
    }

    /**
     * Schedulers take turns, and so do the ways to run the jobs under one of them. What the first execution of the
     * phased plan tells about its jobs makes another plan, which is executed in the repetitions after it.
     */
    private void measure(int repetitions) throws Exception {
        Problem corrected = null;
        for (int i = 0; i < repetitions; i++) {
            if (corrected != null && !planned.containsKey(FEEDBACK)) {
                ways.add(byPlan(FEEDBACK, corrected, PLANNER_OF_FEEDBACK));
            }
            Map<String, Double> executed = new LinkedHashMap<>();
            for (Contestant scheduler : Turns.of(SCHEDULERS, i, repetitions)) {
                List<Way> under = ways.stream()
                        .filter(way -> way.scheduler() == scheduler)
                        .toList();
                try (PackedCluster cluster = new PackedCluster(scheduler, scratch, ExecutedPlans::say)) {
                    warmUp(cluster, jar);
                    for (Way way : Turns.of(under, i, repetitions)) {
                        RunOutcome outcome = cluster.execute(way.id(), way.problem(), way.plan());
                        executed.put(way.name(), outcome.actual());
                        say(String.format(
                                Locale.ROOT, "repetition %d, %s: %.1f s", i + 1, way.name(), outcome.actual()));
                        if (corrected == null && way.name().equals(name(PLANNER_OF_FEEDBACK))) {
                            corrected = Feedback.apply(way.problem(), outcome);
                        }
                    }
                }
            }
            print(executed);
        }
    }

    private void print(Map<String, Double> executed) {
        Set<String> names = new LinkedHashSet<>(planned.keySet());
        ways.forEach(way -> names.add(way.name()));
        for (String name : names) {
            say(PrintedTable.of("way", name, figures(planned, executed, name)));
        }
    }

    /**
     * What is known of a way.
     *
     * @param planned makespans of plans, in seconds
     * @param executed makespans of runs, in seconds
     */
    static Map<String, Double> figures(Map<String, Double> planned, Map<String, Double> executed, String name) {
        Map<String, Double> figures = new LinkedHashMap<>();
        Double plan = planned.get(name);
        Double run = executed.get(name);
        if (plan != null) {
            figures.put(PLANNED, plan);
        }
        if (run != null) {
            figures.put(EXECUTED, run);
        }
        if (plan != null && run != null) {
            figures.put(ERROR, 100 * (run / plan - 1));
        }
        if (plan != null) {
            figures.put(PLANNED_SAVING, 100 * (1 - plan / planned.getOrDefault(SEQUENTIAL, Double.NaN)));
        }
        if (run != null) {
            figures.put(EXECUTED_SAVING, 100 * (1 - run / executed.getOrDefault(SEQUENTIAL, Double.NaN)));
        }
        return figures;
    }
}
