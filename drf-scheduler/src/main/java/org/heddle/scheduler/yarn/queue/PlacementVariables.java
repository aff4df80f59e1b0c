// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.heddle.scheduler.model.PlacementStep;
import org.heddle.scheduler.model.PlacementStep.Missing;
import org.jspecify.annotations.Nullable;

/** Finds the queue of a step whose path has variables, such as {@code root.users.%user}. */
final class PlacementVariables {
    private final QueueTree queues;

    PlacementVariables(QueueTree queues) {
        this.queues = queues;
    }

    /** The path of an existing leaf, or of a queue that may be created; null if there is none. */
    @Nullable
    String queue(PlacementStep step, ApplicationSubmissionContext submission, String user) {
        List<String> path = new ArrayList<>();
        for (String part : step.queue().split("\\.", -1)) {
            String value = value(part, path, submission, user);
            if (value == null || value.isEmpty()) {
                return null;
            }
            path.add(value);
        }
        return existingOrNew(String.join(".", path), step.missing());
    }

    private @Nullable String value(
            String part, List<String> above, ApplicationSubmissionContext submission, String user) {
        return switch (part) {
            case PlacementStep.USER_VARIABLE -> HeddlePlacementRule.asQueueName(user);
            case PlacementStep.APPLICATION_VARIABLE -> submission.getApplicationName();
            case PlacementStep.SPECIFIED_VARIABLE ->
                HeddlePlacementRule.namesNone(submission) ? null : submission.getQueue();
            case PlacementStep.PRIMARY_GROUP_VARIABLE -> primaryGroup(user);
            case PlacementStep.SECONDARY_GROUP_VARIABLE -> secondaryGroup(above, user);
            default -> part;
        };
    }

    private static @Nullable String primaryGroup(String user) {
        return HeddlePlacementRule.groups(user).stream()
                .findFirst()
                .map(HeddlePlacementRule::asQueueName)
                .orElse(null);
    }

    private @Nullable String secondaryGroup(List<String> above, String user) {
        Set<String> groups = HeddlePlacementRule.groups(user);
        return groups.stream()
                .skip(1)
                .map(HeddlePlacementRule::asQueueName)
                .filter(group -> find(above.isEmpty() ? group : String.join(".", above) + "." + group) != null)
                .findFirst()
                .orElse(null);
    }

    private @Nullable String existingOrNew(String path, Missing missing) {
        HeddleQueue queue = find(path);
        if (queue != null) {
            return queue.isLeaf() && !queue.isDraining() ? queue.getQueueName() : null;
        }
        String full = full(path);
        return missing == Missing.CREATE && queues.mayCreate(full) ? full : null;
    }

    /** The path with that of its first part, which may be the last name of only one queue. */
    private String full(String path) {
        int dot = path.indexOf('.');
        HeddleQueue first = dot < 0 ? null : queues.find(path.substring(0, dot));
        return first == null ? path : first.getQueueName() + path.substring(dot);
    }

    /** As CapacityScheduler does: a path, or the last name of only one queue, also as the first part of a path. */
    private @Nullable HeddleQueue find(String path) {
        HeddleQueue queue = queues.find(path);
        return queue == null ? queues.findExact(full(path)) : queue;
    }
}
