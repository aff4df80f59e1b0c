// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.jspecify.annotations.Nullable;

/**
 * On what terms queues take applications, as YARN asks when one is submitted: who may, how long it may live, by which
 * steps its containers grow. Asked from any thread.
 */
public final class SubmissionTerms {
    private final QueueTree queues;

    public SubmissionTerms(QueueTree queues) {
        this.queues = queues;
    }

    /** Why a user may not submit there, in one sentence; null if they may, or if that is seen later. */
    @Nullable
    public String refusal(@Nullable String path, ApplicationId id, UserGroupInformation user) {
        HeddleQueue leaf = queues.find(path);
        if (leaf == null && path != null && queues.rules().newQueues() != null) {
            leaf = queues.nearest(path);
        }
        return leaf == null ? null : leaf.refusal(id, user);
    }

    /** How long an application may live, in seconds, given what it asks for; less than 0 for ever. */
    public long lifetime(String path, long asked) {
        HeddleQueue leaf = queues.findLeaf(path);
        return leaf == null ? asked : leaf.spec().lifetime().grant(asked);
    }

    /** The longest life that a queue grants, in seconds; less than 0 for ever. */
    public long longestLifetime(String path) {
        HeddleQueue leaf = queues.findLeaf(path);
        return leaf == null ? -1 : leaf.spec().lifetime().mostSeconds();
    }

    public boolean hasIncrements() {
        return !queues.rules().increments().isEmpty();
    }

    /** The steps in which sizes are rounded up: those that are configured, else the least container. */
    public Resource increment(Resource least) {
        Resource step = Resources.clone(least);
        queues.rules().increments().forEach(step::setResourceValue);
        return step;
    }
}
