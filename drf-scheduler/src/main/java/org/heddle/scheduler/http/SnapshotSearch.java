// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import java.util.Optional;
import org.heddle.scheduler.model.SchedulerSnapshot.Claim;
import org.heddle.scheduler.model.SchedulerSnapshot.Kind;

/** Finds one claim in a tree. */
final class SnapshotSearch {
    /** An application with the queue and the user that it belongs to. */
    record Found(String queue, String user, Claim claim) {}

    private SnapshotSearch() {}

    static Optional<Claim> queue(Claim from, String path) {
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

    static Optional<Found> application(Claim root, String id) {
        return application(root, "", id);
    }

    private static Optional<Found> application(Claim claim, String queue, String id) {
        if (claim.kind() == Kind.APPLICATION) {
            return claim.name().equals(id) ? Optional.of(new Found(queue, claim.user(), claim)) : Optional.empty();
        }
        String here = claim.kind() == Kind.QUEUE ? claim.path() : queue;
        return claim.children().stream()
                .flatMap(child -> application(child, here, id).stream())
                .findFirst();
    }
}
