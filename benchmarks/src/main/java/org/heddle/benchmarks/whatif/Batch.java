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
import org.heddle.whatif.model.History;
import org.heddle.whatif.model.Size;
import org.heddle.whatif.model.TaskGroup;
import org.heddle.whatif.model.TaskKind;

/** Jobs that are known before they run, for a planner and for a replay. */
final class Batch {
    /** What batches are like. */
    enum Kind {
        MAPS("maps only", 4, 4_096, 4, 8),
        REDUCES("with reduces", 4, 4_096, 4, 6),
        CROWD("more jobs than slots", 4, 4_096, 40, 40),
        MEMORY("memory-bound", 2, 8_192, 4, 8),
        MIXED("mixed sizes", 8, 4_096, 4, 8),
        DISKS("disks", 4, 8_192, 4, 8);

        private final String words;
        private final int slots;
        private final long slotMb;
        private final int fewest;
        private final int most;

        Kind(String words, int slots, long slotMb, int fewest, int most) {
            this.words = words;
            this.slots = slots;
            this.slotMb = slotMb;
            this.fewest = fewest;
            this.most = most;
        }

        String words() {
            return words;
        }

        /** Its slots, and what is left is too small for any task: three masters. */
        Size node() {
            return new Size(slots * slotMb + 3 * MASTER.memoryMb(), this == DISKS ? 4 * DISK + 9 : 64);
        }
    }

    static final int NODES = 5;

    private static final Size MASTER = new Size(1_024, 1);
    /** From the start of a master to its first request. */
    private static final long MASTER_MILLIS = 5_000;
    /** What a history shows outside the tasks: the master's start, and heartbeats. */
    private static final double OFFSET = 8;
    /** A disk, counted as cores; a task that reads takes one, and half a slot's memory. */
    private static final int DISK = 10;

    /** A job: its tasks in milliseconds. */
    private record Work(String name, Size size, long[] maps, long[] reduces) {
        double seconds() {
            return LongStream.concat(Arrays.stream(maps), Arrays.stream(reduces))
                            .sum()
                    / 1_000.0;
        }

        boolean reads() {
            return size.vcores() == DISK;
        }
    }

    private final Kind kind;
    private final List<Work> jobs = new ArrayList<>();

    Batch(Kind kind, SplittableRandom random) {
        this.kind = kind;
        int count = random.nextInt(kind.fewest, kind.most + 1);
        for (int i = 0; i < count; i++) {
            Size size = new Size(kind == Kind.MIXED ? kind.slotMb << random.nextInt(3) : kind.slotMb, 1);
            if (kind == Kind.DISKS && i % 2 == 0) {
                size = new Size(kind.slotMb / 2, DISK);
            }
            int maps = kind == Kind.CROWD ? random.nextInt(2, 21) : random.nextInt(8, 201);
            int reduces = kind == Kind.REDUCES ? random.nextInt(1, 11) : 0;
            jobs.add(new Work("job" + i, size, times(maps, 8, 90, random), times(reduces, 10, 200, random)));
        }
    }

    /** Tasks of a job take about the same time. */
    private static long[] times(int tasks, int least, int most, SplittableRandom random) {
        double mean = random.nextDouble(least, most);
        return random.doubles(tasks, 0.8 * mean, 1.2 * mean)
                .mapToLong(seconds -> Math.round(1_000 * seconds))
                .toArray();
    }

    List<String> jobs() {
        return jobs.stream().map(Work::name).toList();
    }

    /** The memory of each job over time, as weights. */
    List<Double> works() {
        return jobs.stream().map(job -> job.seconds() * slots(job)).toList();
    }

    private double slots(Work job) {
        return (double) job.size().memoryMb() / kind.slotMb;
    }

    /** No way to run the jobs is shorter, in seconds: memory, disks, and each job with all nodes for itself. */
    double bound() {
        double all = NODES * kind.slots;
        double memory = works().stream().mapToDouble(Double::doubleValue).sum() / all;
        double disks =
                jobs.stream().filter(Work::reads).mapToDouble(Work::seconds).sum() / all;
        double longest = jobs.stream()
                .mapToDouble(job -> alone(job.maps(), all / slots(job)) + alone(job.reduces(), all / slots(job)))
                .max()
                .orElseThrow();
        return MASTER_MILLIS / 1_000.0 + Math.max(longest, Math.max(memory, disks));
    }

    private static double alone(long[] millis, double atOnce) {
        double longest = Arrays.stream(millis).max().orElse(0);
        return Math.max(longest, Arrays.stream(millis).sum() / atOnce) / 1_000;
    }

    /** For the planner: a task that is as large as two slots counts as one that takes twice as long. */
    Problem problem() {
        List<Job> all = new ArrayList<>();
        for (Work job : jobs) {
            double times = kind == Kind.MIXED ? slots(job) : 1;
            TaskModel model =
                    TaskModel.ofMapsAndReduces(seconds(job.maps(), times), seconds(job.reduces(), times), OFFSET);
            all.add(new Job(job.name(), model, kind == Kind.DISKS && !job.reads(), job.reads()));
        }
        return new Problem("batch", NODES, kind.slots, 2, new Alpha(1), all);
    }

    private static List<Double> seconds(long[] millis, double times) {
        return Arrays.stream(millis).mapToObj(one -> times * one / 1_000).toList();
    }

    /** For the replay: all are submitted at once; reduces start when all maps have ended. */
    History history(boolean oneQueue) {
        long begin = ReplayedCluster.BEGIN;
        List<org.heddle.whatif.model.Job> all = new ArrayList<>();
        for (Work job : jobs) {
            List<TaskGroup> groups = new ArrayList<>(List.of(new TaskGroup(TaskKind.MAP, job.size(), job.maps())));
            if (job.reduces().length > 0) {
                groups.add(new TaskGroup(TaskKind.REDUCE, job.size(), job.reduces()));
            }
            String queue = "root." + (oneQueue ? "all" : job.name());
            all.add(new org.heddle.whatif.model.Job(
                    job.name(), "u", queue, begin, begin + 600_000, MASTER, MASTER_MILLIS, 1, true, groups));
        }
        return new History(all, List.of());
    }
}
