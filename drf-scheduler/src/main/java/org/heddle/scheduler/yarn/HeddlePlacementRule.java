// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.placement.ApplicationPlacementContext;
import org.apache.hadoop.yarn.server.resourcemanager.placement.PlacementRule;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.heddle.scheduler.model.PlacementStep;
import org.jspecify.annotations.Nullable;

/** Finds an application's queue by the configured steps; the first that leads to an existing leaf wins. */
final class HeddlePlacementRule extends PlacementRule {
    private final QueueTree queues;

    HeddlePlacementRule(QueueTree queues) {
        this.queues = queues;
    }

    @Override
    public boolean initialize(ResourceScheduler scheduler) {
        return true;
    }

    @Override
    public ApplicationPlacementContext getPlacementForApp(ApplicationSubmissionContext submission, String user)
            throws YarnException {
        for (PlacementStep step : queues.spec().placement()) {
            if (step.kind() == PlacementStep.Kind.REJECT) {
                break;
            }
            HeddleQueue leaf = leafOf(step, submission, user);
            if (leaf != null) {
                return new ApplicationPlacementContext(leaf.getQueueName());
            }
            if (isMissing(step, submission.getQueue())) {
                return new ApplicationPlacementContext(submission.getQueue());
            }
        }
        throw new YarnException("Application " + submission.getApplicationId() + " of user " + user
                + " is refused: queue " + submission.getQueue()
                + " is not a leaf queue and no placement step leads to another; name one of " + queues.someLeaves());
    }

    /** On recovery a queue that is gone is the scheduler's business, not a reason to refuse. */
    @Override
    public ApplicationPlacementContext getPlacementForApp(
            ApplicationSubmissionContext submission, String user, boolean recovery) throws YarnException {
        if (recovery) {
            return new ApplicationPlacementContext(submission.getQueue());
        }
        return getPlacementForApp(submission, user);
    }

    private @Nullable HeddleQueue leafOf(PlacementStep step, ApplicationSubmissionContext submission, String user) {
        return switch (step.kind()) {
            case SPECIFIED -> queues.findLeaf(submission.getQueue());
            case USER -> queues.findLeaf(step.parent() + "." + asQueueName(user));
            case PRIMARY_GROUP ->
                UserGroupInformation.createRemoteUser(user).getGroupsSet().stream()
                        .findFirst()
                        .map(group -> queues.findLeaf(step.parent() + "." + asQueueName(group)))
                        .orElse(null);
            case FIXED -> queues.findLeaf(step.queue());
            case REJECT -> null;
        };
    }

    /**
     * A queue that was asked for by name is not silently replaced by another one: the application goes to the scheduler,
     * which fails it, so that clients find out the way they do under other schedulers. {@code default} is what YARN writes
     * when nothing was said; it counts only if there is such a queue.
     */
    private static boolean isMissing(PlacementStep step, @Nullable String name) {
        return step.kind() == PlacementStep.Kind.SPECIFIED
                && name != null
                && !name.isEmpty()
                && !name.equals(YarnConfiguration.DEFAULT_QUEUE_NAME);
    }

    /** Dots separate queues, so a dot in a user's name becomes what FairScheduler makes of it too. */
    private static String asQueueName(String name) {
        return name.trim().replace(".", "_dot_");
    }
}
