// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.whatif;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.TaskModel;
import org.heddle.whatif.model.Size;

/** Jobs that are known before they run, for a planner and for a replay. */
final class Batch {
    /** What batches are like. */
    enum Kind {
        MAPS("maps only", 4, 4, 8),
        REDUCES("with reduces", 4, 4, 6),
        CROWD("more jobs than slots", 4, 40, 40),
        MEMORY("memory-bound", 2, 4, 8),
        MIXED("mixed sizes", 8, 4, 8),
        DISKS("disks", 4, 4, 8);

        private final String words;
        private final int slots;
        private final int fewest;
        private final int most;

        Kind(String words, int slots, int fewest, int most) {
            this.words = words;
            this.slots = slots;
            this.fewest = fewest;
            this.most = most;
        }

        String words() {
            return words;
        }

        private Size task(SplittableRandom random) {
            return switch (this) {
                case MEMORY -> new Size(4_096, 1);
                case MIXED -> new Size(1_024L << random.nextInt(3), 1);
                default -> new Size(2_048, 1);
            };
        }
    }

    /** A node has room for its slots, and for one master of a gigabyte. */
    static final Size NODE = new Size(9_216, 64);

    static final Size MASTER = new Size(1_024, 1);
    /** From the start of a master to its first request. */
    static final long MASTER_MILLIS = 5_000;

    private static final int NODES = 5;
    /** What a history shows outside the tasks: the master's start, and heartbeats. */
    private static final double OFFSET = 8;
    /** The disks of a node, counted as cores: those who read take a quarter of them, others none but their own core. */
    private static final Size DISKS = new Size(11_264, 22);

    private static final Size READS = new Size(1_024, 4);

    /** A job: its tasks in milliseconds. */
    record Work(String name, Size size, long[] maps, long[] reduces, boolean reads) {
        double seconds() {
            return LongStream.concat(Arrays.stream(maps), Arrays.stream(reduces)).sum() / 1_000.0;
        }
    }

    private final Kind kind;
    private final List<Work> jobs = new ArrayList<>();

    Batch(Kind kind, SplittableRandom random) {
        this.kind = kind;
        int count = random.nextInt(kind.fewest, kind.most + 1);
        for (int i = 0; i < count; i++) {
            boolean reads = kind == Kind.DISKS && i % 2 == 0;
            Size size = reads ? READS : kind.task(random);
            int maps = kind == Kind.CROWD ? random.nextInt(2, 21) : random.nextInt(8, 201);
            int reduces = kind == Kind.REDUCES ? random.nextInt(1, 11) : 0;
            jobs.add(new Work(
                    "job" + i, size, times(maps, 8, 90, random), times(reduces, 10, 200, random), reads));
        }
    }

    /** Tasks of a job take about the same time. */
    private static long[] times(int tasks, int least, int most, SplittableRandom random) {
        double mean = random.nextDouble(least, most);
        return random.doubles(tasks, 0.8 * mean, 1.2 * mean)
                .mapToLong(seconds -> Math.round(1_000 * seconds))
                .toArray();
    }

    List<Work> jobs() {
        return jobs;
    }

    int nodes() {
        return NODES;
    }

    Size node() {
        return kind == Kind.DISKS ? DISKS : NODE;
    }

    /** For the planner: a task that is as large as two slots counts as one that takes twice as long. */
    Problem problem() {
        List<Job> all = new ArrayList<>();
        for (Work work : jobs) {
            double slots = kind == Kind.MIXED ? work.size().memoryMb() / 1_024.0 : 1;
            TaskModel model =
                    TaskModel.ofMapsAndReduces(seconds(work.maps(), slots), seconds(work.reduces(), slots), OFFSET);
            boolean computes = kind == Kind.DISKS && !work.reads();
            all.add(new Job(work.name(), model, computes, work.reads()));
        }
        return new Problem("batch", NODES, kind.slots, 2, new Alpha(1), all);
    }

    private static List<Double> seconds(long[] millis, double times) {
        return Arrays.stream(millis).mapToObj(one -> times * one / 1_000).toList();
    }
}
