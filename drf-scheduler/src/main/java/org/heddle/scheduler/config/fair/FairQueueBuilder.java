// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.fair;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.heddle.scheduler.config.schema.ConfigSchema;
import org.heddle.scheduler.model.AccessList;
import org.heddle.scheduler.model.Plan;
import org.heddle.scheduler.model.QueueSetting;
import org.heddle.scheduler.model.QueueSetting.Trait;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.jspecify.annotations.Nullable;

/** A queue of {@code fair-scheduler.xml} while it is read. */
final class FairQueueBuilder {
    final String path;
    final int line;
    final Map<String, FairQueueBuilder> children = new LinkedHashMap<>();
    boolean parent;
    boolean plan;

    @Nullable
    String policy;

    AccessList submitReservations = AccessList.EVERYONE;
    AccessList listReservations = AccessList.EVERYONE;
    AccessList administerReservations = AccessList.EVERYONE;
    /** The settings in the file, in its order. */
    private final List<UnaryOperator<QueueSpec>> settings = new ArrayList<>();

    FairQueueBuilder(String path, int line) {
        this.path = path;
        this.line = line;
    }

    FairQueueBuilder child(String name, int atLine) {
        return children.computeIfAbsent(name, unused -> new FairQueueBuilder(path + "." + name, atLine));
    }

    <T> void set(QueueSetting<T> setting, T value) {
        settings.add(queue -> queue.with(setting, value));
    }

    boolean isParent() {
        return parent || plan || !children.isEmpty() || path.equals(ConfigSchema.ROOT_QUEUE);
    }

    /**
     * The defaults for all queues.
     *
     * @param template the settings of a queue
     * @param plan of a queue with reservations
     */
    record Defaults(QueueSpec template, Plan plan) {}

    String policyOr(Defaults defaults) {
        return policy == null ? defaults.template().order() : policy;
    }

    QueueSpec spec(Defaults defaults, QueueSpec above) {
        QueueSpec queue = QueueSpec.at(path)
                .withParent(isParent())
                .like(above, Trait.INHERITED)
                .like(defaults.template(), Trait.FOR_NEW_QUEUES);
        if (path.equals(ConfigSchema.ROOT_QUEUE)) {
            queue = queue.with(QueueSettings.SUBMIT, AccessList.EVERYONE)
                    .with(QueueSettings.ADMINISTER, AccessList.EVERYONE);
        }
        for (UnaryOperator<QueueSpec> setting : settings) {
            queue = setting.apply(queue);
        }
        if (isParent()) {
            queue = queue.with(QueueSettings.DIVIDE_BY, QueueSpec.Division.USERS)
                    .with(QueueSettings.MAX_AM_SHARE, QueueSettings.MAX_AM_SHARE.fallback());
        }
        if (!above.get(QueueSettings.ALLOW_PREEMPTION_FROM)) {
            queue = queue.with(QueueSettings.ALLOW_PREEMPTION_FROM, false);
        }
        if (plan) {
            Plan.Access access = new Plan.Access(submitReservations, listReservations, administerReservations);
            queue = queue.with(QueueSettings.PLAN, Optional.of(defaults.plan().open(access)));
        }
        double helpedTo = queue.get(QueueSettings.FAIR_SHARE_PREEMPTION_THRESHOLD); // and no further
        QueueSpec own = queue.with(QueueSettings.ORDER, policyOr(defaults))
                .with(QueueSettings.FAIR_SHARE_PREEMPTION_TARGET, helpedTo);
        return own.withChildren(children.values().stream()
                .map(child -> child.spec(defaults, own))
                .toList());
    }
}
