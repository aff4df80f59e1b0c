// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.benchmarks.experiment.Bands;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Goal;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.experiment.Spread;
import org.heddle.benchmarks.program.ChildProgram;

/** What the accounting costs: the scheduler with and without it in turns, and {@link AccountingCost}. */
public final class AccountingExperiment implements Experiment {
    private static final String SIZE = "1k";
    private static final int BLOCKS = 80;
    private static final String COST = "a container, us";
    private static final String WITH = "1,000 nodes, with";
    private static final String ALONE = "the accounting alone";
    private static final String MOST_TIMES = "x without, at most";
    private static final String OF_A_CONTAINER = "of a container, %";
    private static final Pattern LINE = Pattern.compile(
            "accounting (\\S+) ns, round (\\S+) ms, longest (\\S+) ms, (\\d+) bytes of heap, (\\d+) bytes of disk");

    @Override
    public Description description() {
        return new Description(
                "usage-accounting",
                "DRF scheduler: what the accounting costs",
                Paper.NONE,
                "",
                List.of(),
                "No paper has this: the race's cluster of 1,000 nodes with and without accounting in turns, 80 blocks each,"
                        + " ratios of the same block with the upper end of a 95 % interval; then the accounting alone, cold, on 10,000"
                        + " applications with 30,000 containers, CPU time of the calling thread.");
    }

    @Override
    public List<Goal> goals() {
        return List.of(Goal.atMost(WITH, MOST_TIMES, 1.01), Goal.atMost(ALONE, OF_A_CONTAINER, 1));
    }

    @Override
    public Effort effort() {
        return Effort.quiet(5, 1);
    }

    @Override
    public Bands bands() {
        return Bands.within(0.5);
    }

    @Override
    public Measurement run(Run run) throws IOException, InterruptedException {
        List<WorkerProcess> runners = SchedulerRace.measure(
                SIZE,
                BLOCKS,
                run.seeds().get(0),
                List.of(Contestant.HEDDLE_UNACCOUNTED, Contestant.HEDDLE),
                run.progress());
        double[] ratios = SchedulerRace.ratios(runners.get(1), runners.get(0));
        Row without = Row.of("1,000 nodes, without").with(COST, costs(runners.get(0)));
        Row with = Row.of(WITH)
                .with(COST, costs(runners.get(1)))
                .with("x without", Arrays.stream(ratios).average().orElse(Double.NaN))
                .with(MOST_TIMES, SchedulerRace.upperBound(ratios));
        List<String> lines = new ChildProgram(AccountingCost.class, "2g").lines(run);
        return Measurement.of(List.of(without, with, alone(lines, without.median(COST))));
    }

    private static Spread costs(WorkerProcess runner) {
        return Spread.of(
                runner.blocks.stream().mapToDouble(Block::microsPerContainer).toArray());
    }

    /**
     * What {@link AccountingCost} printed.
     *
     * @param micros what a container costs without accounting
     * @throws IllegalArgumentException if it printed something else
     */
    static Row alone(List<String> lines, double micros) {
        Matcher found = lines.stream()
                .map(LINE::matcher)
                .filter(Matcher::matches)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the program did not print its line: " + lines));
        double nanos = Double.parseDouble(found.group(1));
        double round = Double.parseDouble(found.group(2));
        return Row.of(ALONE)
                .with("a container that ends, ns", nanos)
                .with(OF_A_CONTAINER, nanos / micros / 10)
                .with("a round, ms", round)
                .with("longest round, ms", Double.parseDouble(found.group(3)))
                .with("of a minute, %", round / 600)
                .with("heap, bytes an application", Double.parseDouble(found.group(4)))
                .with("disk, bytes an application and hour", Double.parseDouble(found.group(5)));
    }
}
