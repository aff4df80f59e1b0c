// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import java.util.Optional;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.Kind;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.SchedulableReport;

/** Finds one schedulable in a tree. */
final class SnapshotSearch {
    /** An application with the queue and the user that it belongs to. */
    record Found(String queue, String user, SchedulableReport schedulable) {}

    private SnapshotSearch() {}

    static Optional<SchedulableReport> queue(SchedulableReport from, String path) {
        if (from.kind() != Kind.QUEUE) {
            return Optional.empty();
        }
        if (from.path().equals(path)) {
            return Optional.of(from);
        }
        return from.children().stream()
                .flatMap(child -> queue(child, path).stream())
                .findFirst();
    }

    static Optional<Found> application(SchedulableReport root, String id) {
        return application(root, "", id);
    }

    private static Optional<Found> application(SchedulableReport schedulable, String queue, String id) {
        if (schedulable.kind() == Kind.APPLICATION) {
            if (schedulable.name().equals(id)) {
                return Optional.of(new Found(queue, schedulable.user(), schedulable));
            }
            return Optional.empty();
        }
        String here = schedulable.kind() == Kind.QUEUE ? schedulable.path() : queue;
        return schedulable.children().stream()
                .flatMap(child -> application(child, here, id).stream())
                .findFirst();
    }
}
