// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.replay;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.heddle.whatif.model.History;
import org.heddle.whatif.model.Job;
import org.heddle.whatif.model.Size;
import org.heddle.whatif.model.TaskGroup;
import org.heddle.whatif.model.TaskKind;

/** Makes pasts from a seed. */
final class Histories {
    /** 2026-11-01T00:00:00Z. */
    static final long BEGIN = 1_793_491_200_000L;

    private static final List<String> QUEUES = List.of("root.etl", "root.adhoc", "root.science");
    private static final Size MASTER = new Size(1_024, 1);

    private Histories() {}

    /** Jobs of three queues and six users, submitted within ten minutes, with maps, reduces, or neither. */
    static History random(long seed, int jobs) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Job> all = new ArrayList<>();
        for (int i = 1; i <= jobs; i++) {
            int queue = random.nextInt(QUEUES.size());
            List<TaskGroup> groups = new ArrayList<>();
            if (random.nextInt(10) > 0) {
                groups.add(group(TaskKind.MAP, random));
            }
            if (random.nextBoolean()) {
                groups.add(group(TaskKind.REDUCE, random));
            }
            all.add(new Job(
                    "job_" + i,
                    "user" + (2 * queue + random.nextInt(2)),
                    QUEUES.get(queue),
                    BEGIN + random.nextInt(600_000),
                    0,
                    MASTER,
                    random.nextInt(5_000),
                    0.05,
                    true,
                    groups));
        }
        return new History(all, List.of());
    }

    private static TaskGroup group(TaskKind kind, SplittableRandom random) {
        Size size = new Size(1_024L * (1 + random.nextInt(3)), 1 + random.nextInt(2));
        long[] millis = random.longs(1 + random.nextInt(15), 1_000, 60_000).toArray();
        return new TaskGroup(kind, size, millis);
    }

    /** One job that runs in its master for a time. */
    static Job master(String id, String queue, long millis) {
        return new Job(id, "user-of-" + id, queue, BEGIN, 0, MASTER, millis, 0.05, true, List.of());
    }

    /** One job whose equal maps run for a time. */
    static Job maps(String id, String queue, long afterMillis, int tasks, Size size, long eachMillis) {
        long[] millis = new long[tasks];
        Arrays.fill(millis, eachMillis);
        return new Job(
                id,
                "user-of-" + id,
                queue,
                BEGIN + afterMillis,
                0,
                MASTER,
                0,
                0.05,
                true,
                List.of(new TaskGroup(TaskKind.MAP, size, millis)));
    }
}
