// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.packing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.heddle.benchmarks.experiment.Band;
import org.heddle.benchmarks.experiment.Bands;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Plot;
import org.heddle.benchmarks.experiment.Published;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.experiment.Spread;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.PowerModel;
import org.heddle.packing.model.Problem;

/** What plans save in job sets that nobody chose: the programs of HiBench with random sizes. */
public final class OwnWorkloadsExperiment implements Experiment {
    private static final double LIMIT_SECONDS = 30;
    private static final int JOBS = 6;
    private static final int MACHINES = 9;
    private static final int SETS = 8;

    /** A program: what it needs most, as published for HiBench's programs. */
    private record Program(String name, boolean cpu, boolean io) {}

    private static final List<Program> PROGRAMS = List.of(
            new Program("sort", false, true),
            new Program("terasort", false, true),
            new Program("grep", false, true),
            new Program("wordcount", true, false),
            new Program("kmeans", true, false),
            new Program("pagerank", true, false));

    /**
     * How jobs of a set scale.
     *
     * @param steepest exponent of the job that scales best
     * @param flattest of the one that scales worst
     */
    private record Scaling(double steepest, double flattest) {}

    @Override
    public Description description() {
        return new Description(
                "packing-own-workloads",
                "Packing: what a plan saves in job sets that were drawn at random",
                Paper.PACKING,
                "Figures 2 and 3, with other jobs",
                List.of(Published.of("24 to 33 % on 9 machines, for jobs of the authors", "section 6, Figure 2")),
                "Nothing is chosen to match the paper: six programs of HiBench, of which sort, terasort and grep count as I/O"
                        + " intensive and the others as CPU intensive as in the literature; alone on one VM a job takes 200 to"
                        + " 6,000 s, its exponents are drawn from a range that each row names, and alpha is 1.3 as in W1 to W6,"
                        + " which is the one circular value left; makespans are predicted.");
    }

    @Override
    public Bands bands() {
        return new Bands(Band.EXACT, Map.of("malleable saves, %", WorkloadsExperiment.MALLEABLE));
    }

    @Override
    public Effort effort() {
        return Effort.simulated(1, 1, 3, 3);
    }

    @Override
    public Measurement run(Run run) {
        Map<String, Scaling> ways = new LinkedHashMap<>();
        ways.put("jobs scale well (exponents -1 to -0.8)", new Scaling(-1, -0.8));
        ways.put("mixed (-1 to -0.3)", new Scaling(-1, -0.3));
        ways.put("jobs scale badly (-0.6 to -0.2)", new Scaling(-0.6, -0.2));
        List<Row> rows = new ArrayList<>();
        for (Map.Entry<String, Scaling> way : ways.entrySet()) {
            run.tell(way.getKey());
            rows.add(row(way.getKey(), way.getValue(), run.seeds()));
        }
        return Measurement.of(rows);
    }

    private static Row row(String name, Scaling scaling, List<Long> seeds) {
        Map<String, List<Double>> saved = new LinkedHashMap<>();
        for (long seed : seeds) {
            for (int set = 0; set < SETS; set++) {
                Problem problem = problem(scaling, new SplittableRandom(1_000 * seed + set));
                double sequential =
                        CheckedPlans.plan(problem, "sequential", LIMIT_SECONDS).makespan();
                for (String planner : List.of("pair", "phased", "malleable")) {
                    double makespan =
                            CheckedPlans.plan(problem, planner, LIMIT_SECONDS).makespan();
                    saved.computeIfAbsent(planner + " saves, %", any -> new ArrayList<>())
                            .add(100 * (1 - makespan / sequential));
                }
            }
        }
        Row row = Row.of(name);
        for (Map.Entry<String, List<Double>> column : saved.entrySet()) {
            row = row.with(column.getKey(), Spread.of(column.getValue()));
        }
        return row;
    }

    private static Problem problem(Scaling scaling, SplittableRandom random) {
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < JOBS; i++) {
            Program program = PROGRAMS.get(random.nextInt(PROGRAMS.size()));
            double alone = 200 * Math.exp(Math.log(30) * random.nextDouble());
            double exponent = scaling.steepest() + (scaling.flattest() - scaling.steepest()) * random.nextDouble();
            jobs.add(new Job(program.name() + "#" + i, new PowerModel(alone, exponent), program.cpu(), program.io()));
        }
        return new Problem("drawn", MACHINES, 2, 2, new Alpha(1.3), jobs);
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        return List.of(Plot.bars(
                measurement,
                "savings",
                "What a plan saves against one job after the other, medians",
                "%",
                "pair saves, %",
                "phased saves, %",
                "malleable saves, %"));
    }
}
