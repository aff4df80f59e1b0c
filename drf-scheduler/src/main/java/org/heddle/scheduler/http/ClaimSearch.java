// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import java.util.Optional;
import org.heddle.scheduler.model.SchedulerSnapshot.Claim;
import org.heddle.scheduler.model.SchedulerSnapshot.Kind;

/** Finds one claim in a tree. */
final class ClaimSearch {
    /** An application with the queue and the user that it belongs to. */
    record Found(String queue, String user, Claim claim) {}

    private ClaimSearch() {}

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
        return application(root, "", "", id);
    }

    private static Optional<Found> application(Claim claim, String queue, String user, String id) {
        return switch (claim.kind()) {
            case APPLICATION -> claim.name().equals(id) ? Optional.of(new Found(queue, user, claim)) : Optional.empty();
            case USER -> below(claim, queue, claim.name(), id);
            case QUEUE -> below(claim, claim.path(), user, id);
        };
    }

    private static Optional<Found> below(Claim claim, String queue, String user, String id) {
        return claim.children().stream()
                .flatMap(child -> application(child, queue, user, id).stream())
                .findFirst();
    }
}
