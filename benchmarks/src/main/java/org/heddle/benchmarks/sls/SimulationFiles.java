// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.sls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.heddle.benchmarks.experiment.Spread;

/**
 * What the simulator wrote about one run.
 *
 * @param jobs that ended
 * @param lastSeconds from the first job's start to the last one's end
 * @param meanSeconds of a job from its start to its end
 * @param heartbeatMicros of a node in the scheduler: the median of what the simulator writes each second, which is the
 *     median over the last minute of the means of the last 100 calls. Lines of the first minute are left out: the zeros
 *     from before the first call count in them. NaN if calls came for less than a minute.
 * @param allocateMicros of a master's call in the scheduler, likewise
 */
record SimulationFiles(
        int jobs, double lastSeconds, double meanSeconds, double heartbeatMicros, double allocateMicros) {
    private static final int START = 3;
    private static final int END = 4;
    private static final int LEAST = 4;
    private static final int MEDIAN = 6;

    /** @throws IOException if the simulator did not come to its end: names the file that is missing or has no lines */
    static SimulationFiles read(Path directory) throws IOException {
        List<long[]> jobs = lines(directory.resolve("jobruntime.csv")).stream()
                .map(line -> line.split(",", -1))
                .map(line -> new long[] {Long.parseLong(line[START]), Long.parseLong(line[END])})
                .toList();
        long first = jobs.stream().mapToLong(job -> job[0]).min().orElseThrow();
        long last = jobs.stream().mapToLong(job -> job[1]).max().orElseThrow();
        return new SimulationFiles(
                jobs.size(),
                (last - first) / 1e3,
                jobs.stream().mapToLong(job -> job[1] - job[0]).average().orElseThrow() / 1e3,
                micros(directory, "handle.NODE_UPDATE"),
                micros(directory, "allocate"));
    }

    private static double micros(Path directory, String operation) throws IOException {
        Path file = directory.resolve("metrics/sampler.scheduler.operation." + operation + ".timecost.csv");
        double[] nanos = lines(file).stream()
                .map(line -> line.split(",", -1))
                .filter(line -> Double.parseDouble(line[LEAST]) > 0)
                .mapToDouble(line -> Double.parseDouble(line[MEDIAN]))
                .toArray();
        return nanos.length == 0 ? Double.NaN : Spread.of(nanos).median() / 1e3;
    }

    /** Without the heading. */
    private static List<String> lines(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        if (lines.size() < 2) {
            throw new IOException(file + " has no lines");
        }
        return lines.subList(1, lines.size());
    }
}
