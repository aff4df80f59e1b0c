// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import java.util.List;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.heddle.scheduler.model.PriorityLimit;
import org.heddle.scheduler.model.QueueSettings;
import org.jspecify.annotations.Nullable;

/**
 * The conditions under which queues accept applications: access, lifetime, and the increments of container sizes.
 * Called from any thread.
 */
public final class SubmissionTerms {
    private final QueueTree queues;

    public SubmissionTerms(QueueTree queues) {
        this.queues = queues;
    }

    /** Why a user may not submit there, in one sentence; null if it is allowed, or is checked later. */
    @Nullable
    public String refusal(@Nullable String path, ApplicationId id, UserGroupInformation user) {
        HeddleQueue leaf = queues.find(path);
        if (leaf == null && path != null && queues.rules().newQueues() != null) {
            leaf = queues.nearest(path);
        }
        if (leaf == null) {
            return null;
        }
        String closed = leaf.closed(user.getShortUserName(), null);
        return closed == null ? leaf.refusal(id, user) : "Application " + id + " is refused: " + closed;
    }

    /**
     * The priority of an application, given the one that it asks for, if any.
     *
     * @throws YarnException one sentence, if the user may not give that priority there
     */
    public Priority priority(@Nullable String path, UserGroupInformation user, @Nullable Priority wanted)
            throws YarnException {
        HeddleQueue leaf = queues.find(path);
        List<PriorityLimit> limits = leaf == null ? List.of() : leaf.spec().get(QueueSettings.PRIORITIES);
        int most = limits.isEmpty() ? Integer.MAX_VALUE : 0;
        int usual = 0;
        for (PriorityLimit limit : limits) {
            if (limit.most() >= most && limit.who().allows(user.getShortUserName(), user.getGroupsSet())) {
                most = limit.most();
                usual = limit.usual();
            }
        }
        if (wanted != null && wanted.getPriority() > most) {
            throw new YarnException("Priority " + wanted.getPriority() + " is refused: user " + user.getShortUserName()
                    + " may give applications in queue " + path + " a priority of at most " + most);
        }
        return wanted == null ? Priority.newInstance(usual) : wanted;
    }

    /** The lifetime of an application in seconds, given the lifetime that it asks for; negative means no limit. */
    public long lifetime(String path, long asked) {
        HeddleQueue leaf = queues.findLeaf(path);
        return leaf == null ? asked : leaf.spec().lifetime().grant(asked);
    }

    /** The longest lifetime that a queue grants, in seconds; negative means no limit. */
    public long longestLifetime(String path) {
        HeddleQueue leaf = queues.findLeaf(path);
        return leaf == null ? -1 : leaf.spec().lifetime().mostSeconds();
    }

    public boolean hasIncrements() {
        return !queues.rules().increments().isEmpty();
    }

    /** The increments by which sizes are rounded up: the configured ones, else the minimum container. */
    public Resource increment(Resource least) {
        Resource step = Resources.clone(least);
        queues.rules().increments().forEach(step::setResourceValue);
        return step;
    }
}
