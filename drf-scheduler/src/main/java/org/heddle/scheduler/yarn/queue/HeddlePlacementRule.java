// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.security.Groups;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.placement.ApplicationPlacementContext;
import org.apache.hadoop.yarn.server.resourcemanager.placement.PlacementRule;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.heddle.scheduler.model.PlacementCondition;
import org.heddle.scheduler.model.PlacementStep;
import org.heddle.scheduler.model.PlacementStep.Missing;
import org.jspecify.annotations.Nullable;

/**
 * Finds an application's queue by the configured steps; the first step that gives a queue decides. A step never creates
 * a queue: the scheduler creates it under its lock when it receives the application.
 */
public final class HeddlePlacementRule extends PlacementRule {
    private static final String ROOT = "root";

    private final QueueTree queues;
    private final PlacementVariables variables;

    public HeddlePlacementRule(QueueTree queues) {
        this.queues = queues;
        this.variables = new PlacementVariables(queues);
    }

    @Override
    public boolean initialize(ResourceScheduler scheduler) {
        return true;
    }

    @Override
    public ApplicationPlacementContext getPlacementForApp(ApplicationSubmissionContext submission, String user)
            throws YarnException {
        UserGroups groups = new UserGroups(user);
        for (PlacementStep step : queues.spec().placement()) {
            if (!holds(step.condition(), submission, groups)) {
                continue;
            }
            if (step.kind() == PlacementStep.Kind.REJECT) {
                break;
            }
            String path = answer(step, submission, user);
            if (path == null && step.hasVariables() && step.missing() == Missing.REFUSE) {
                break;
            }
            if (path != null) {
                HeddleQueue queue = queues.findExact(path);
                boolean named = step.kind() == PlacementStep.Kind.SPECIFIED && step.missing() == Missing.REFUSE;
                if (!named && queue != null && !queue.isLeaf() && !queue.spec().isPlan()) {
                    throw new YarnException(
                            "Application " + submission.getApplicationId() + " of user " + user + " is refused: queue "
                                    + path + " is not a leaf queue; name one of " + queues.someLeaves());
                }
                return new ApplicationPlacementContext(path);
            }
        }
        throw new YarnException("Application " + submission.getApplicationId() + " of user " + user
                + " is refused: queue " + submission.getQueue()
                + " is not a leaf queue and no placement step leads to another; name one of " + queues.someLeaves());
    }

    /** On recovery a missing queue is no reason to reject: the scheduler chooses another one. */
    @Override
    public ApplicationPlacementContext getPlacementForApp(
            ApplicationSubmissionContext submission, String user, boolean recovery) throws YarnException {
        if (recovery) {
            return new ApplicationPlacementContext(submission.getQueue());
        }
        return getPlacementForApp(submission, user);
    }

    /** The groups of a user, looked up once, however many steps have groups: the look-up can be slow. */
    private static final class UserGroups {
        private final String user;
        private @Nullable Set<String> groups;

        UserGroups(String user) {
            this.user = user;
        }

        boolean haveOneOf(Set<String> some) {
            if (groups == null) {
                groups = HeddlePlacementRule.groups(user);
            }
            return groups.stream().anyMatch(some::contains);
        }
    }

    private static boolean holds(
            PlacementCondition condition, ApplicationSubmissionContext submission, UserGroups groups) {
        if (condition.isAny()) {
            return true;
        }
        return (!condition.unnamed() || namesNone(submission))
                && (condition.users().isEmpty() || condition.users().contains(groups.user))
                && (condition.applications().isEmpty()
                        || condition.applications().contains(submission.getApplicationName()))
                && (condition.groups().isEmpty() || groups.haveOneOf(condition.groups()));
    }

    /** YARN sets {@code default} if the submission names no queue. */
    static boolean namesNone(ApplicationSubmissionContext submission) {
        String queue = submission.getQueue();
        return queue == null || queue.isEmpty() || queue.equals(YarnConfiguration.DEFAULT_QUEUE_NAME);
    }

    /** The path that a step gives, of a queue that exists or may be created; null if the step gives none. */
    private @Nullable String answer(PlacementStep step, ApplicationSubmissionContext submission, String user)
            throws YarnException {
        return switch (step.kind()) {
            case SPECIFIED -> specified(step.missing(), submission.getQueue(), user);
            case USER -> named(step, above(step, submission, user), user);
            case PRIMARY_GROUP -> named(step, above(step, submission, user), primaryGroup(user));
            case SECONDARY_GROUP -> firstOf(step, above(step, submission, user), groups(user));
            case FIXED -> {
                if (step.hasVariables()) {
                    yield variables.queue(step, submission, user);
                }
                yield existingOrNew(step.queue(), step.missing());
            }
            case REJECT -> null;
        };
    }

    /** YARN sets {@code default} if the submission names no queue; it counts only if such a queue exists. */
    private @Nullable String specified(Missing missing, @Nullable String name, String user) throws YarnException {
        if (missing != Missing.REFUSE) {
            return specifiedFromRoot(missing, name, user);
        }
        HeddleQueue leaf = queues.findLeaf(name);
        if (leaf == null && name != null && !name.isEmpty() && !name.equals(YarnConfiguration.DEFAULT_QUEUE_NAME)) {
            return name; // the scheduler rejects the application, as other schedulers do
        }
        return leaf == null ? null : leaf.getQueueName();
    }

    /** As FairScheduler does: {@code default} never counts, and every other name is a path from the root. */
    private @Nullable String specifiedFromRoot(Missing missing, @Nullable String name, String user)
            throws YarnException {
        boolean valid = name != null
                && name.equals(name.strip())
                && !name.startsWith(".")
                && !name.endsWith(".")
                && !name.contains("..");
        if (name == null || !valid) {
            throw new YarnException("Application submitted by user " + user + " with illegal queue name '" + name
                    + "': give names with one dot between them");
        }
        if (name.isEmpty() || name.equals(YarnConfiguration.DEFAULT_QUEUE_NAME)) {
            return null;
        }
        return existingOrNew(name.equals(ROOT) || name.startsWith(ROOT + ".") ? name : ROOT + "." + name, missing);
    }

    /** The parent queue for a step; null if the step inside it gives no queue, or gives a leaf queue. */
    private @Nullable String above(PlacementStep step, ApplicationSubmissionContext submission, String user)
            throws YarnException {
        PlacementStep under = step.under();
        if (under == null) {
            return step.parent();
        }
        String path = answer(under, submission, user);
        HeddleQueue queue = path == null ? null : queues.findExact(path);
        return queue != null && queue.isLeaf() ? null : path;
    }

    private @Nullable String named(PlacementStep step, @Nullable String above, @Nullable String name) {
        return above == null || name == null ? null : existingOrNew(path(step, above, name), step.missing());
    }

    private @Nullable String firstOf(PlacementStep step, @Nullable String above, Set<String> names) {
        if (above == null) {
            return null;
        }
        for (String name : names) {
            String path = existingOrNew(path(step, above, name), Missing.PASS);
            if (path != null) {
                return path;
            }
        }
        return null;
    }

    /**
     * The path of the queue of a user or group. FairScheduler reads the name as a path from the root unless the rule
     * has an inner one, so the queue of a user {@code root} is the root queue there.
     */
    private String path(PlacementStep step, String above, String name) {
        String queue = asQueueName(name);
        boolean isRoot = step.under() == null
                && above.equals(ROOT)
                && queue.equals(ROOT)
                && queues.spec().rules().likeFairScheduler();
        return isRoot ? ROOT : above + "." + queue;
    }

    /** The path if the queue is configured or may be created, and does not drain; else null. */
    private @Nullable String existingOrNew(String path, Missing missing) {
        HeddleQueue queue = queues.findExact(path);
        boolean configured = queue != null && !queue.isNew() && !queue.isDraining();
        return missing == Missing.CREATE || configured ? path : null;
    }

    static Set<String> groups(String user) {
        try {
            return Groups.getUserToGroupsMappingService().getGroupsSet(user);
        } catch (IOException e) {
            return Set.of(); // Hadoop throws if the user has no groups
        }
    }

    /** @throws YarnException if the user has none and FairScheduler's file is in force, as FairScheduler does */
    private @Nullable String primaryGroup(String user) throws YarnException {
        String first = groups(user).stream().findFirst().orElse(null);
        if (first == null && queues.spec().rules().likeFairScheduler()) {
            throw new YarnException("Application of user " + user + " is refused: a placement rule needs the user's"
                    + " primary group, and the ResourceManager knows none: add the user to a group there");
        }
        return first;
    }

    /** Dots separate queues, so a dot in a name is replaced, as FairScheduler does. */
    static String asQueueName(String name) {
        return name.strip().replace(".", "_dot_");
    }
}
