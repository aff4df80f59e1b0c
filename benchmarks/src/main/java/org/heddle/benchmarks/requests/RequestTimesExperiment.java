// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.requests;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
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
import org.heddle.benchmarks.program.Repetitions;
import org.heddle.benchmarks.rm.Contestant;
import org.heddle.benchmarks.rm.RequestLatencyExperiment;

/** {@link RequestTimes}: the time from a request to its container, in a cluster of processes. */
public final class RequestTimesExperiment implements Experiment {
    private static final int SECONDS = 30;
    private static final Duration LIMIT = Duration.ofMinutes(10);

    @Override
    public Description description() {
        return new Description(
                "request-latency-processes",
                "DRF scheduler: from a request to its container, in a cluster of processes",
                Paper.NONE,
                "",
                List.of(),
                "No paper has this: a ResourceManager and " + RequestTimes.NODES + " NodeManagers of "
                        + RequestTimes.CORES
                        + " cores, each a process with the first of Java's compilers, all on one machine; Hadoop's own"
                        + " intervals, so a heartbeat of each node a second. A master with Hadoop's own client"
                        + " requests "
                        + RequestTimes.REQUESTS_A_SECOND
                        + " containers a second at random times, each preferably on one node; it"
                        + " calls every " + RequestTimes.CALL.toMillis()
                        + " ms while it waits. It launches nothing and gives each container back after two seconds, so"
                        + " there is always room. The time is from the beginning of the call with the request to the"
                        + " end of the call that returns the container. In "
                        + SECONDS
                        + " s there are about " + SECONDS * RequestTimes.REQUESTS_A_SECOND
                        + " requests, so 99 % leaves one out. Schedulers take turns in each"
                        + " repetition. Settings: " + Contestant.settings(Contestant.FOR_WAITS) + ".");
    }

    @Override
    public List<Goal> goals() {
        return RequestLatencyExperiment.goals(Contestant.HEDDLE_IMMEDIATE.toString(), 99);
    }

    @Override
    public Effort effort() {
        return Effort.quiet(30, 3);
    }

    @Override
    public Bands bands() {
        return RequestLatencyExperiment.bandsOfRequests();
    }

    @Override
    public Measurement run(Run run) throws IOException, InterruptedException {
        List<String> lines = Repetitions.lines(run, Contestant.FOR_WAITS, contestant -> program(run, contestant));
        return Measurement.of(PrintedTable.rows(lines, 1));
    }

    private static ChildProgram program(Run run, Contestant contestant) {
        return new ChildProgram(
                        RequestTimes.class,
                        "512m",
                        contestant.toString(),
                        String.valueOf(SECONDS),
                        String.valueOf(run.seeds().get(0)))
                .within(LIMIT);
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        return List.of(Plot.bars(
                measurement,
                "times",
                "From a request to its container, in a cluster of processes",
                "milliseconds",
                RequestLatencyExperiment.MEDIAN,
                RequestLatencyExperiment.TAIL));
    }
}
