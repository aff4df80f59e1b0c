// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.market;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

/** What the boundary between two epochs of the market costs. */
public final class EpochTimesExperiment implements Experiment {
    private static final Pattern QUEUES = Pattern.compile("(\\d+) active queues, .*");
    private static final Pattern EPOCH =
            Pattern.compile("\\s+epoch\\s+median\\s+(\\S+) ms, p99\\s+(\\S+) ms, longest\\s+"
                    + "(\\S+) ms; processor median\\s+\\S+ ms, p99\\s+(\\S+) ms");
    private static final String TAIL = "p99, ms";
    private static final List<String> COLUMNS = List.of("median, ms", TAIL, "longest, ms", "processor time, p99, ms");

    @Override
    public Description description() {
        return new Description(
                "market-epoch",
                "Market: the boundary between two epochs",
                Paper.NONE,
                "",
                List.of(),
                "The paper reports no cost: this is the time under the scheduler's lock when every queue is active and has a"
                        + " bill.");
    }

    @Override
    public List<Goal> goals() {
        return List.of(Goal.atMost("1000 queues", TAIL, 1), Goal.atMost("10000 queues", TAIL, 10));
    }

    @Override
    public Effort effort() {
        return Effort.quiet(6, 3);
    }

    @Override
    public Bands bands() {
        return Bands.within(0.5);
    }

    @Override
    public Measurement run(Run run) throws IOException, InterruptedException {
        List<List<String>> runs = new ArrayList<>();
        for (int i = 0; i < run.seeds().size(); i++) {
            ChildProgram.Output output = new ChildProgram(EpochTimes.class, "1500m").output(run);
            if (output.exitCode() > 1) { // 1 says that a goal is missed
                throw new IOException("EpochTimes ended with exit code " + output.exitCode());
            }
            runs.add(output.lines());
        }
        return Measurement.of(rows(runs));
    }

    static List<Row> rows(List<List<String>> runs) {
        Map<String, List<Matcher>> epochs = new LinkedHashMap<>();
        for (List<String> lines : runs) {
            String queues = "";
            for (String line : lines) {
                Matcher begins = QUEUES.matcher(line);
                Matcher epoch = EPOCH.matcher(line);
                if (begins.matches()) {
                    queues = begins.group(1) + " queues";
                } else if (epoch.matches()) {
                    epochs.computeIfAbsent(queues, name -> new ArrayList<>()).add(epoch);
                }
            }
        }
        List<Row> rows = new ArrayList<>();
        epochs.forEach((queues, found) -> {
            Row row = Row.of(queues);
            for (int column = 0; column < COLUMNS.size(); column++) {
                int group = column + 1;
                row = row.with(
                        COLUMNS.get(column),
                        Spread.of(found.stream()
                                .mapToDouble(epoch -> Double.parseDouble(epoch.group(group)))
                                .toArray()));
            }
            rows.add(row);
        });
        return rows;
    }
}
