// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.heddle.scheduler.snapshot.AllocationDelayReport;
import org.heddle.scheduler.snapshot.PendingAsks;
import org.heddle.scheduler.snapshot.SchedulerSnapshot;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.Configuration;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.Kind;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.SchedulableReport;
import org.jspecify.annotations.Nullable;

/** Snapshots of a made-up cluster: 100 GiB and 40 vcores, two queues, one of them with a name that is a trap. */
final class Snapshots {
    static final String TRAP = "<script>alert(1)</script>";
    static final String OBSTACLE = "larger than any node that it may use";
    static final String PROBLEM =
            "heddle-scheduler.xml: line 7, <weight> = '-2': must be 0, or a number from 0.000001" + " to 1000000";

    private static final long MEMORY = 102_400;
    private static final long CORES = 40;

    private Snapshots() {}

    /** With {@code applications} applications, all but one of them in the first queue. */
    static SchedulerSnapshot of(int applications, @Nullable String problem) {
        List<SchedulableReport> many = new ArrayList<>();
        for (int i = 1; i < applications; i++) {
            many.add(application("root.science.alice", i, i % 3 == 0));
        }
        SchedulableReport alice = schedulable(Kind.USER, "root.science.alice", "sojourn", 2, 0.42, 0.5, 1.7, many);
        SchedulableReport idle = schedulable(
                Kind.USER, "root.science.bob-who-has-a-rather-long-user-name-indeed", "sojourn", 1, 0, 0, 0, List.of());
        SchedulableReport mallory = schedulable(
                Kind.USER,
                "root." + TRAP + ".mallory",
                "sojourn",
                1,
                0.3,
                0.5,
                0.3,
                List.of(application("root." + TRAP + ".mallory", applications, false)));
        SchedulableReport science =
                schedulable(Kind.QUEUE, "root.science", "drf", 3, 0.42, 0.5, 1.7, List.of(alice, idle));
        SchedulableReport trap = schedulable(Kind.QUEUE, "root." + TRAP, "drf", 1, 0.3, 0.5, 0.3, List.of(mallory));
        SchedulableReport root = schedulable(Kind.QUEUE, "root", "drf", 1, 0.72, 1, 2, List.of(trap, science));
        return with(root, problem);
    }

    /** A cluster on which nothing runs and nothing waits. */
    static SchedulerSnapshot idle() {
        SchedulableReport science = schedulable(Kind.QUEUE, "root.science", "drf", 3, 0, 0, 0, List.of());
        return with(schedulable(Kind.QUEUE, "root", "drf", 1, 0, 0, 0, List.of(science)), null);
    }

    private static SchedulerSnapshot with(SchedulableReport root, @Nullable String problem) {
        return new SchedulerSnapshot(
                1_700_000_000_000L,
                10,
                1,
                Map.of("memory-mb", MEMORY, "vcores", CORES),
                Map.of("memory-mb", 73_728L, "vcores", 20L),
                0.9731,
                root,
                new Configuration("/etc/hadoop/conf/heddle-scheduler.xml", 1_690_000_000_000L, List.of(), problem),
                List.of(new SchedulerSnapshot.PreemptionReport(
                        "root.science.alice",
                        "below its share",
                        "application_1700000000000_0001",
                        "root.science",
                        "alice",
                        "node-1.example:8041",
                        Map.of("memory-mb", 4_096L, "vcores", 2L),
                        2,
                        List.of(new SchedulerSnapshot.Victim(
                                "container_1700000000000_0002_01_000003",
                                "application_1700000000000_0002",
                                "root." + TRAP,
                                "mallory",
                                false,
                                SchedulerSnapshot.Fate.TO_GO)),
                        "strict",
                        1_700_000_010_000L,
                        "")),
                Map.of("containers-allocated", 1234L),
                AllocationDelayReport.NONE,
                Map.of("", new PendingAsks(7, Map.of("memory-mb", 7_168L, "vcores", 7L))));
    }

    private static SchedulableReport application(String user, int number, boolean blocked) {
        String path = String.format("%s.application_1700000000000_%04d", user, number);
        return new SchedulableReport(
                Kind.APPLICATION,
                path.substring(path.lastIndexOf('.') + 1),
                path,
                user.substring(user.lastIndexOf('.') + 1),
                "nightly-etl-" + number,
                Set.of("finance"),
                "",
                1,
                1,
                number % 2 == 0 ? "vcores" : "memory-mb",
                0.01,
                0.02,
                0.05,
                Double.POSITIVE_INFINITY,
                blocked,
                blocked && number % 2 == 1 ? OBSTACLE : "",
                Map.of("memory-mb", 1_024L, "vcores", 1L),
                Map.of("memory-mb", 5_120L, "vcores", 5L),
                1,
                4,
                Map.of(),
                Map.of(),
                Double.NaN,
                Map.of(),
                List.of());
    }

    private static SchedulableReport schedulable(
            Kind kind,
            String path,
            String order,
            double weight,
            double share,
            double fair,
            double demand,
            List<SchedulableReport> children) {
        return new SchedulableReport(
                kind,
                path.substring(path.lastIndexOf('.') + 1),
                path,
                kind == Kind.USER ? path.substring(path.lastIndexOf('.') + 1) : "",
                "",
                Set.of(),
                order,
                weight,
                weight,
                share == 0 ? "" : "memory-mb",
                share,
                fair,
                demand,
                share / weight,
                demand > share,
                "",
                Map.of("memory-mb", (long) (share * MEMORY), "vcores", (long) (share * CORES / 2)),
                Map.of("memory-mb", (long) (demand * MEMORY), "vcores", (long) (demand * CORES / 2)),
                (int) (share * 100),
                (int) ((demand - share) * 100),
                Map.of("vcores", CORES),
                Map.of(),
                kind == Kind.QUEUE ? fair : Double.NaN,
                Map.of(),
                children);
    }
}
