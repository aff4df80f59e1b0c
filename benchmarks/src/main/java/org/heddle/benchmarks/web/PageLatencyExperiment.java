// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.web;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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

/** {@link PageLatency}: how long pages and REST take beside a busy scheduler. */
public final class PageLatencyExperiment implements Experiment {
    private static final Pattern LINE = Pattern.compile(
            "(\\S+)\\s+median\\s+(\\S+) ms, 95%\\s+(\\S+) ms, 99%\\s+(\\S+) ms, worst\\s+(\\S+) ms, (\\S+) bytes");
    private static final String TAIL = "p99, ms";
    private static final double MOST_TAIL_MILLIS = 100;
    private static final List<String> COLUMNS = List.of("median, ms", "p95, ms", TAIL, "longest, ms");
    private static final String PACE = "1000";
    /** Arguments of the program by the rows' prefix. */
    private static final Map<String, List<String>> LOADS = new TreeMap<>(Map.of(
            "1,000 applications: ",
            List.of("1000"),
            "10,000 applications: ",
            List.of("10000"),
            "10,000 applications, " + PACE + " heartbeats a second: ",
            List.of("10000", PACE)));

    @Override
    public Description description() {
        return new Description(
                "page-latency",
                "DRF scheduler: pages and REST",
                Paper.NONE,
                "",
                List.of(),
                "No paper has this: a real ResourceManager with 200 nodes and 1,000 or 10,000 applications of 50 users that ask,"
                        + " take and give back all the time, as fast as one thread can (several thousand heartbeats a second) or with"
                        + " 1,000 heartbeats a second, as 1,000 nodes send them, and 200 requests to each address; after a pause"
                        + " of 600 ms, 30 requests that each need a new snapshot.");
    }

    @Override
    public List<Goal> goals() {
        return LOADS.keySet().stream()
                .map(load -> Goal.atMost(
                        load + "slowest address, " + TAIL,
                        MOST_TAIL_MILLIS,
                        all -> all.only(row -> row.name().startsWith(load)).largest(TAIL)))
                .toList();
    }

    @Override
    public Effort effort() {
        return Effort.quiet(9, 3);
    }

    @Override
    public Bands bands() {
        return Bands.within(0.5);
    }

    @Override
    public Measurement run(Run run) throws IOException, InterruptedException {
        List<Row> rows = new ArrayList<>();
        for (Map.Entry<String, List<String>> load : LOADS.entrySet()) {
            List<String> lines = new ArrayList<>();
            for (int i = 0; i < run.seeds().size(); i++) {
                lines.addAll(new ChildProgram(
                                PageLatency.class, "2g", load.getValue().toArray(String[]::new))
                        .lines(run));
            }
            rows.addAll(rows(load.getKey(), lines));
        }
        return Measurement.of(rows);
    }

    /** @param prefix of the rows' names */
    static List<Row> rows(String prefix, List<String> lines) {
        Map<String, List<Matcher>> addresses = new LinkedHashMap<>();
        for (String line : lines) {
            Matcher matcher = LINE.matcher(line);
            if (matcher.matches()) {
                addresses
                        .computeIfAbsent(matcher.group(1), address -> new ArrayList<>())
                        .add(matcher);
            }
        }
        List<Row> rows = new ArrayList<>();
        addresses.forEach((address, found) -> {
            Row row = Row.of(prefix + address);
            for (int column = 0; column < COLUMNS.size(); column++) {
                int group = column + 2;
                double[] values = found.stream()
                        .mapToDouble(one -> Double.parseDouble(one.group(group)))
                        .toArray();
                row = row.with(COLUMNS.get(column), Spread.of(values));
            }
            rows.add(row);
        });
        return rows;
    }
}
