// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.packing;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.heddle.benchmarks.experiment.Band;
import org.heddle.benchmarks.experiment.Bands;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Goal;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Plot;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.program.ChildProgram;
import org.heddle.benchmarks.program.PrintedTable;
import org.heddle.benchmarks.rm.Contestant;

/** {@link ExecutedPlans}: the packing paper's Figures 2 and 3 with jobs that run, beside stock schedulers. */
public final class ExecutedPlansExperiment implements Experiment {
    private static final double MOST_ERROR_PERCENT = 10;
    private static final double LEAST_OF_SAVING = 0.8;
    private static final Duration LIMIT = Duration.ofHours(4);

    @Override
    public Description description() {
        return new Description(
                "packing-executed",
                "Packing: plans that are executed, beside stock schedulers",
                Paper.PACKING,
                "Figures 2 and 3, measured, with other jobs",
                PaperProblems.SAVINGS,
                "The jobs are ours: two copy files in HDFS, two hash. They run on two nodes with two disks each, all on one"
                        + " machine; the paper has four to seven jobs on 9 and 10 machines. The paper prints no parameters of"
                        + " its jobs, and we chose the sizes of ours, so the savings here do not confirm the paper's (W1 to W6"
                        + " are circular, too: there we chose even the models). The models are measured: heddle pack profile"
                        + " runs each job alone at 4, 2 and 1 VMs, and each pair of jobs that may share machines, once before"
                        + " all repetitions. The jobs are paced, copies by the rate of a slow disk and hashing by rests,"
                        + " because the machine has few cores. Paced tasks hardly slow each other, so sharing a machine costs"
                        + " less than in the paper. For the same reason the class of each job (CPU or I/O intensive) is given."
                        + " The start of a JVM is not paced: jobs that start together wait for each other's, which they would"
                        + " not do on machines of their own."
                        + " With feedback, the phased plan's first execution corrects the models as heddle pack run --feedback"
                        + " does, and the plan that follows from them is executed in the other repetitions."
                        + " A time is from the start of the first program that submits a job to the end of the last one."
                        + " Savings are against the sequential plan. The nonphased plan is executed if it is shorter than the"
                        + " phased one. The malleable plan has no executed time: MapReduce cannot change the VM count of a job"
                        + " that runs. The paper does not run all jobs at once; here all programs start together, and the"
                        + " scheduler decides. With a task per disk, each task has a disk of its own, so four tasks run at"
                        + " once. With disks and cores, a task that copies"
                        + " requests a disk and half a core, and one that hashes requests a core; a node has two disks and two"
                        + " cores, so it may run the same tasks as a machine of a plan. Plans run under capacity-default. Ways"
                        + " to run the jobs take turns in each repetition. Schedulers: "
                        + Contestant.settings(ExecutedPlans.SCHEDULERS) + ".");
    }

    @Override
    public List<Goal> goals() {
        String phased = ExecutedPlans.name("phased");
        return List.of(
                Goal.atMost(
                        "largest difference of a plan and its run, %",
                        MOST_ERROR_PERCENT, all -> all.largest(row -> Math.abs(row.median(ExecutedPlans.ERROR)))),
                Goal.atLeast(
                        phased + ": executed by planned saving",
                        LEAST_OF_SAVING,
                        all -> all.median(phased, ExecutedPlans.EXECUTED_SAVING)
                                / all.median(phased, ExecutedPlans.PLANNED_SAVING)));
    }

    @Override
    public Effort effort() {
        return Effort.quiet(100, 3);
    }

    @Override
    public Bands bands() {
        Band points = new Band(0, 10);
        return new Bands(
                Band.within(0.15),
                Map.of(
                        ExecutedPlans.ERROR, points,
                        ExecutedPlans.PLANNED_SAVING, points,
                        ExecutedPlans.EXECUTED_SAVING, points));
    }

    @Override
    public Measurement run(Run run) throws IOException, InterruptedException {
        ChildProgram program = new ChildProgram(
                        ExecutedPlans.class,
                        "1g",
                        run.root().toString(),
                        run.scratch().toString(),
                        String.valueOf(run.seeds().size()))
                .within(LIMIT);
        return Measurement.of(PrintedTable.rows(program.lines(run), 1));
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        return List.of(Plot.bars(
                measurement,
                "makespans",
                "As Figures 2 and 3: makespans, planned and executed (medians)",
                "seconds",
                ExecutedPlans.PLANNED,
                ExecutedPlans.EXECUTED));
    }
}
