// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.whatif;

import java.io.IOException;
import java.nio.file.Path;
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
import org.heddle.benchmarks.program.ChildProgram;
import org.heddle.whatif.cli.WhatIf;
import org.heddle.whatif.scheduler.SchedulerKind;

/** {@link DayTrace} through {@code heddle whatif}: how long the replay of a day takes for each scheduler. */
public final class WholeDayExperiment implements Experiment {
    private static final String JOBS = "10000";
    private static final String TIME = "time, s";
    private static final double MOST_SECONDS = 300;
    private static final Pattern ENDED = Pattern.compile("tasks ended\\s+(\\d+)\\s+(\\d+)");
    private static final Pattern USED = Pattern.compile("memory used\\s+-\\s+(\\S+) %");

    @Override
    public Description description() {
        return new Description(
                "whatif-day",
                "What-if: how long the replay of a day takes",
                Paper.NONE,
                "",
                List.of(),
                "No paper has this: 10,000 jobs of 24 hours, drawn at random, on 1,000 nodes of 16 GiB and 8 cores, through"
                        + " the command with each scheduler alone, reading the trace and the start of Java included.");
    }

    @Override
    public List<Goal> goals() {
        return ReplayedCluster.schedulers().keySet().stream()
                .map(scheduler -> Goal.atMost(scheduler, TIME, MOST_SECONDS))
                .toList();
    }

    @Override
    public Effort effort() {
        return Effort.quiet(10, 1);
    }

    @Override
    public Bands bands() {
        return new Bands(Band.EXACT, Map.of(TIME, Band.within(0.5)));
    }

    @Override
    public Measurement run(Run run) throws IOException, InterruptedException {
        Path directory = run.scratch();
        DayTrace.main(new String[] {
            directory.toString(), JOBS, String.valueOf(run.seeds().get(0))
        });
        List<Row> rows = new ArrayList<>();
        for (Map.Entry<String, SchedulerKind> scheduler :
                ReplayedCluster.schedulers().entrySet()) {
            ChildProgram command = new ChildProgram(
                    WhatIf.class,
                    "2g",
                    "--trace",
                    directory.resolve("day.json").toString(),
                    "--file",
                    directory.resolve("fair-scheduler.xml").toString(),
                    "--with",
                    scheduler.getValue().word(),
                    "--nodes",
                    "1000",
                    "--node",
                    "memory=16Gi,vcores=8");
            long began = System.nanoTime();
            List<String> lines = command.lines(run);
            rows.add(row(scheduler.getKey(), (System.nanoTime() - began) / 1e9, lines));
        }
        return Measurement.of(rows);
    }

    /** @throws IllegalArgumentException if the command printed no such lines */
    static Row row(String scheduler, double seconds, List<String> lines) {
        return Row.of(scheduler)
                .with(TIME, seconds)
                .with("tasks of the past", figure(ENDED, 1, lines))
                .with("tasks that ended", figure(ENDED, 2, lines))
                .with("memory used, %", figure(USED, 1, lines));
    }

    private static double figure(Pattern pattern, int group, List<String> lines) {
        return lines.stream()
                .map(pattern::matcher)
                .filter(Matcher::find)
                .mapToDouble(found -> Double.parseDouble(found.group(group)))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("the command printed no line \"" + pattern + "\": " + lines));
    }
}
