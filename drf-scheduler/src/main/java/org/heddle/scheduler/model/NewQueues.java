// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

import java.util.Set;
import org.heddle.scheduler.model.QueueSetting.Trait;

/**
 * Settings of queues that are created when an application is placed in them. Such a queue is removed when it is empty.
 *
 * @param template a queue with these settings; its path does not matter. Its maximum resources count unless the parent
 *     has a setting for them ({@link QueueSettings#MAX_CHILD_RESOURCES})
 * @param never paths of queues that are not created, and in which none is created
 */
public record NewQueues(QueueSpec template, Set<String> never) {
    /** A template with all defaults. */
    public static final QueueSpec DEFAULTS = QueueSpec.at("");

    public NewQueues {
        never = Set.copyOf(never);
    }

    /** The specification of one such queue inside another. */
    public QueueSpec inside(QueueSpec parent, String name, boolean asParent) {
        QueueSpec queue = parent.inside(name).withParent(asParent).like(template, Trait.FOR_NEW_QUEUES);
        if (asParent) {
            queue = queue.with(QueueSettings.DIVIDE_BY, QueueSpec.Division.USERS);
        }
        Amounts most = parent.get(QueueSettings.MAX_CHILD_RESOURCES);
        return most.isUnlimited() ? queue : queue.with(QueueSettings.MAX_RESOURCES, most);
    }
}
