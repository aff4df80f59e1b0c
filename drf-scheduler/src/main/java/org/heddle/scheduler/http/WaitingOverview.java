// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.Kind;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.SchedulableReport;
import org.heddle.scheduler.snapshot.Waiting;

/**
 * The first thing that somebody wants to know: how much waits, and the commonest reason. Applications with the same
 * obstacle wait for the same reason; the one of them that waits for most containers is explained, as {@code why} does.
 *
 * @param containers that are asked for
 * @param applications that ask for them
 * @param commonest the reason for most of these containers; empty if nothing waits
 */
record WaitingOverview(long containers, int applications, List<Commonest> commonest) {
    /**
     * A reason.
     *
     * @param containers of the applications that wait for it
     * @param applications these
     * @param example the application that is explained
     * @param text one sentence about it, with the amounts
     * @param wayOut what can be done about it, as the rest of a sentence
     */
    record Commonest(long containers, int applications, String example, String text, String wayOut) {}

    private static final Comparator<List<SchedulableReport>> MOST =
            Comparator.comparingLong(WaitingOverview::containers);

    static WaitingOverview of(SnapshotSource source) {
        Map<String, List<SchedulableReport>> byObstacle = new TreeMap<>();
        collect(source.snapshot().root(), byObstacle);
        List<SchedulableReport> most = byObstacle.values().stream().max(MOST).orElse(List.of());
        long containers = 0;
        int applications = 0;
        for (List<SchedulableReport> group : byObstacle.values()) {
            containers += containers(group);
            applications += group.size();
        }
        return new WaitingOverview(containers, applications, most.isEmpty() ? List.of() : explain(source, most));
    }

    private static void collect(SchedulableReport schedulable, Map<String, List<SchedulableReport>> byObstacle) {
        if (schedulable.kind() == Kind.APPLICATION && schedulable.pendingContainers() > 0) {
            byObstacle
                    .computeIfAbsent(schedulable.obstacle(), any -> new ArrayList<>())
                    .add(schedulable);
        }
        schedulable.children().forEach(child -> collect(child, byObstacle));
    }

    private static long containers(List<SchedulableReport> group) {
        return group.stream().mapToLong(SchedulableReport::pendingContainers).sum();
    }

    private static List<Commonest> explain(SnapshotSource source, List<SchedulableReport> group) {
        String example = group.stream()
                .max(Comparator.comparingInt(SchedulableReport::pendingContainers)
                        .thenComparing(SchedulableReport::name))
                .map(SchedulableReport::name)
                .orElse("");
        Waiting waiting = source.why(example);
        if (waiting == null || waiting.reasons().isEmpty()) {
            return List.of(); // it has ended in the meantime
        }
        Waiting.Reason reason = waiting.reasons().get(0);
        return List.of(new Commonest(
                containers(group),
                group.size(),
                example,
                reason.text(),
                reason.kind().wayOut()));
    }

    /** For pages without JavaScript. */
    String sentence() {
        if (containers == 0) {
            return "Nothing waits.";
        }
        String waits = count(containers, "container")
                + (containers == 1 ? " waits; " : " wait; ")
                + count(applications, "application")
                + (applications == 1 ? " asks for it." : " ask for them.");
        if (commonest.isEmpty()) {
            return waits;
        }
        Commonest reason = commonest.get(0);
        return waits + " The reason for " + reason.containers() + " of them, as for " + reason.example() + ": "
                + reason.text() + ". Way out: " + reason.wayOut() + ".";
    }

    private static String count(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
