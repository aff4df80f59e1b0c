// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.whatif;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.heddle.whatif.model.History;
import org.heddle.whatif.model.Job;
import org.heddle.whatif.model.Size;
import org.heddle.whatif.model.TaskGroup;
import org.heddle.whatif.model.TaskKind;

/**
 * A sample of SWIM (SWIMProjectUCB/SWIM, workloadSuite): a line for each MapReduce job with its name, the second of its
 * submission, the gap to the one before, and the bytes of its input, shuffle and output. What the sample does not say
 * is drawn or assumed: a map reads 128 MB at 10 MB/s, a reduce has 256 MB at 8 MB/s, both lognormal and three seconds
 * at least; queue, user and container size are drawn by the seed.
 */
record SwimTrace(List<Line> lines) {
    /** A job as the sample has it. */
    record Line(String name, double atSeconds, double inputBytes, double shuffleBytes, double outputBytes) {}

    /**
     * Queues below the root with their weights, their part of the jobs and the container of a map; a reduce has twice
     * the memory.
     */
    private enum Leaf {
        ETL(2, 4, 1_024, 1),
        ADHOC(1, 3, 2_048, 1),
        SCIENCE(1, 2, 2_048, 2),
        REPORTS(1, 1, 4_096, 1);

        private final int weight;
        private final int part;
        private final int megabytes;
        private final int cores;

        Leaf(int weight, int part, int megabytes, int cores) {
            this.weight = weight;
            this.part = part;
            this.megabytes = megabytes;
            this.cores = cores;
        }

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final int USERS = 5;
    private static final int FIELDS = 6;
    private static final double SIGMA = 0.4;
    private static final int MOST_MAPS = 2_000;
    private static final int MOST_REDUCES = 400;
    private static final double SLOWSTART = 0.05;

    /**
     * The first jobs of a file.
     *
     * @throws IOException one sentence if it cannot be read or is no such file
     */
    static SwimTrace read(Path file, int jobs) throws IOException {
        List<Line> lines = new ArrayList<>();
        try (Stream<String> all = Files.lines(file)) {
            for (String line : (Iterable<String>) all.limit(jobs)::iterator) {
                lines.add(parsed(line, file, lines.size() + 1));
            }
        }
        if (lines.isEmpty()) {
            throw new IOException(file + " has no jobs: give a sample of SWIM");
        }
        return new SwimTrace(lines);
    }

    private static Line parsed(String line, Path file, int number) throws IOException {
        String[] fields = line.strip().split("\\s+", -1);
        try {
            if (fields.length == FIELDS) {
                return new Line(
                        fields[0],
                        Double.parseDouble(fields[1]),
                        Double.parseDouble(fields[3]),
                        Double.parseDouble(fields[4]),
                        Double.parseDouble(fields[5]));
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new IOException(file + ", line " + number + ": a job of SWIM has " + FIELDS
                + " fields (name, second, gap, bytes of input, shuffle and output), not " + line);
    }

    /**
     * The jobs, which begin at {@link ReplayedCluster#BEGIN}.
     *
     * @param faster so many times as fast as the sample they come
     */
    History history(long seed, double faster) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Job> jobs = new ArrayList<>();
        for (Line line : lines) {
            Leaf leaf = leaf(random);
            int maps = containers(line.inputBytes(), 128e6, MOST_MAPS);
            double reduced = line.shuffleBytes() + line.outputBytes();
            int reduces = line.shuffleBytes() == 0 ? 0 : containers(reduced, 256e6, MOST_REDUCES);
            List<TaskGroup> groups = new ArrayList<>();
            groups.add(new TaskGroup(
                    TaskKind.MAP,
                    new Size(leaf.megabytes, leaf.cores),
                    millis(maps, Math.min(128e6, line.inputBytes() / maps) / 10e6, random)));
            if (reduces > 0) {
                groups.add(new TaskGroup(
                        TaskKind.REDUCE,
                        new Size(2L * leaf.megabytes, leaf.cores),
                        millis(reduces, reduced / reduces / 8e6, random)));
            }
            long at = ReplayedCluster.BEGIN
                    + Math.round(1e3 * (line.atSeconds() - lines.get(0).atSeconds()) / faster);
            jobs.add(new Job(
                    line.name(),
                    leaf.word() + random.nextInt(USERS),
                    "root." + leaf.word(),
                    at,
                    at + 1_000,
                    new Size(1_024, 1),
                    0,
                    SLOWSTART,
                    true,
                    groups));
        }
        return new History(jobs, List.of());
    }

    private static Leaf leaf(SplittableRandom random) {
        int drawn = random.nextInt(
                Arrays.stream(Leaf.values()).mapToInt(one -> one.part).sum());
        int leaf = 0;
        while (drawn >= Leaf.values()[leaf].part) {
            drawn -= Leaf.values()[leaf++].part;
        }
        return Leaf.values()[leaf];
    }

    private static int containers(double bytes, double each, int most) {
        return (int) Math.min(most, Math.max(1, Math.ceil(bytes / each)));
    }

    private static long[] millis(int tasks, double seconds, SplittableRandom random) {
        long[] millis = new long[tasks];
        Arrays.setAll(
                millis, i -> Math.round(1e3 * Math.max(3, seconds * Math.exp(SIGMA * random.nextGaussian()) + 2)));
        return millis;
    }

    /** The four queues as XML, each with its weight and these elements. */
    static String queues(String elements) {
        StringBuilder xml = new StringBuilder();
        for (Leaf leaf : Leaf.values()) {
            xml.append("<queue name=\"")
                    .append(leaf.word())
                    .append("\"><weight>")
                    .append(leaf.weight);
            xml.append("</weight>").append(elements).append("</queue>");
        }
        return xml.toString();
    }
}
