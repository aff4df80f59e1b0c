// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.heddle.benchmarks.experiment.Band;
import org.heddle.benchmarks.experiment.Bands;
import org.heddle.benchmarks.experiment.Curve;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Plot;
import org.heddle.benchmarks.experiment.Published;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.program.ChildProgram;
import org.heddle.benchmarks.program.PrintedTable;

/** The elastic web farm beside a hog, as in Figure 8 of Nexus. Needs haproxy, nginx and MPICH. */
public final class WebFarmExperiment implements Experiment {
    private static final String SESSIONS = "sessions";
    private static final String OF_A_SERVER = "sessions of a server";

    @Override
    public Description description() {
        return new Description(
                "web-farm",
                "An elastic web farm beside a hog",
                Paper.NEXUS,
                "section 6.5, Figure 8",
                List.of(Published.of(
                        "sessions of a server stay low while the sessions of the farm grow", "Figure 8, no number")),
                "Two nodes on one machine, with the load generator and haproxy beside them. The hog's ten loops on each node ask for"
                        + " a tenth of a CPU, which they always use. nginx compresses a page of 3 MB for each of two clients, which is about"
                        + " half of what the servers can do; with slow pages for 1 to 12 clients the farm grows and shrinks. The"
                        + " paper prints no response times. With four clients, who alone used both cores, and a hog of a quarter of a"
                        + " CPU, 99 % took 53 % longer with cgroups and 82 % longer without.");
    }

    @Override
    public Effort effort() {
        return Effort.quiet(25, 5);
    }

    @Override
    public Bands bands() {
        return new Bands(
                Band.within(0.3),
                Map.of(
                        "slower by %",
                        new Band(0.5, 10),
                        SESSIONS,
                        new Band(0.5, 2),
                        "servers",
                        new Band(0.5, 2),
                        OF_A_SERVER,
                        new Band(0.5, 1)));
    }

    @Override
    public Measurement run(Run run) throws IOException, InterruptedException {
        ChildProgram program = new ChildProgram(
                WebFarmLoad.class,
                "1g",
                run.scratch().toString(),
                String.valueOf(run.seeds().size()));
        return Measurement.of(PrintedTable.rows(program.lines(run), 1));
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        List<Row> times = measurement.rows().stream()
                .filter(row -> row.figures().containsKey(SESSIONS))
                .toList();
        List<Double> seconds = times.stream()
                .map(row -> Double.valueOf(row.name().replaceAll("[^0-9.]", "")))
                .toList();
        List<Curve> curves = List.of(SESSIONS, "servers", OF_A_SERVER).stream()
                .map(column -> new Curve(
                        "load",
                        column,
                        seconds,
                        times.stream().map(row -> row.median(column)).toList()))
                .toList();
        return List.of(new Plot("load", "As Figure 8: the farm follows the load", "seconds", "", List.of(), curves));
    }
}
