// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.benchmarks.experiment.Band;
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

/** {@link AskLatency}: the time from a request to its container. */
public final class RequestLatencyExperiment implements Experiment {
    private static final List<Contestant> CONTESTANTS = List.of(
            Contestant.HEDDLE_IMMEDIATE,
            Contestant.HEDDLE_HEARTBEAT,
            Contestant.FAIR,
            Contestant.FAIR_CONTINUOUS,
            Contestant.CAPACITY,
            Contestant.CAPACITY_ASYNC);
    private static final int IDLE_CORES = 0;
    private static final int BUSY_CORES = 13;
    public static final String MEDIAN = "p50, ms";
    public static final String TAIL = "p99, ms";
    public static final String LONGEST = "longest, ms";
    public static final String SAME_ANSWER = "same answer, %";
    public static final String LOCAL = "node-local, %";
    private static final Pattern REPORT =
            Pattern.compile(".*: containers (\\d+), ms p50 (\\S+), p90 (\\S+), p99 (\\S+), most"
                    + " (\\S+); same answer (\\S+), node-local (\\S+), cores in use at the end (\\S+)");

    @Override
    public Description description() {
        return new Description(
                "request-latency",
                "DRF scheduler: from a request to its container",
                Paper.NONE,
                "",
                List.of(),
                "No paper has this: a real ResourceManager whose threads run, 200 nodes of 16 cores with a heartbeat a"
                        + " second, twenty masters that request 128 tasks a second together, with 0 or 13 cores of each"
                        + " node taken.");
    }

    @Override
    public List<Goal> goals() {
        List<Goal> goals = new ArrayList<>(goals("idle, " + Contestant.HEDDLE_IMMEDIATE, 99));
        goals.addAll(goals("busy, " + Contestant.HEDDLE_IMMEDIATE, 95));
        return goals;
    }

    /**
     * What was set for allocation without heartbeats, the default.
     *
     * @param leastLocal percent of the containers
     */
    public static List<Goal> goals(String row, double leastLocal) {
        return List.of(Goal.atMost(row, MEDIAN, 5), Goal.atMost(row, TAIL, 50), Goal.atLeast(row, LOCAL, leastLocal));
    }

    @Override
    public Effort effort() {
        return Effort.quiet(15, 3);
    }

    @Override
    public Bands bands() {
        return bandsOfRequests();
    }

    /** For the columns of this class. */
    public static Bands bandsOfRequests() {
        Band points = new Band(0, 5);
        return new Bands(Band.within(0.5), Map.of(SAME_ANSWER, points, LOCAL, points));
    }

    @Override
    public Measurement run(Run run) throws IOException, InterruptedException {
        List<Row> rows = new ArrayList<>();
        for (int taken : new int[] {IDLE_CORES, BUSY_CORES}) {
            for (Contestant contestant : CONTESTANTS) {
                List<String> lines = new ArrayList<>();
                for (int i = 0; i < run.seeds().size(); i++) {
                    lines.addAll(new ChildProgram(
                                    AskLatency.class,
                                    "2g",
                                    contestant.toString(),
                                    "200",
                                    String.valueOf(taken),
                                    "1",
                                    "10")
                            .lines(run));
                }
                rows.add(row((taken == IDLE_CORES ? "idle, " : "busy, ") + contestant, lines));
            }
        }
        return Measurement.of(rows);
    }

    /** One line for each repetition. */
    static Row row(String name, List<String> lines) {
        List<Matcher> reports =
                lines.stream().map(REPORT::matcher).filter(Matcher::matches).toList();
        return Row.of(name)
                .with(MEDIAN, spread(reports, 2, 1))
                .with(TAIL, spread(reports, 4, 1))
                .with(LONGEST, spread(reports, 5, 1))
                .with(SAME_ANSWER, spread(reports, 6, 100))
                .with(LOCAL, spread(reports, 7, 100));
    }

    private static Spread spread(List<Matcher> reports, int group, double factor) {
        return Spread.of(reports.stream()
                .mapToDouble(report -> factor * Double.parseDouble(report.group(group)))
                .toArray());
    }
}
