// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.fair;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.heddle.scheduler.config.schema.ConfigSchema;
import org.heddle.scheduler.model.AccessList;
import org.heddle.scheduler.model.Amounts;
import org.heddle.scheduler.model.Lifetime;
import org.heddle.scheduler.model.Partitions;
import org.heddle.scheduler.model.Plan;
import org.heddle.scheduler.model.QueuePreemptionSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.QueueTraits;
import org.heddle.scheduler.model.Weights;
import org.jspecify.annotations.Nullable;

/** A queue of {@code fair-scheduler.xml} while it is read; null means not set. */
final class FairQueueBuilder {
    final String path;
    final int line;
    final Map<String, FairQueueBuilder> children = new LinkedHashMap<>();
    double weight = 1;

    @Nullable
    String policy;

    Amounts min = Amounts.UNLIMITED;

    @Nullable
    Amounts max;

    Amounts maxChild = Amounts.UNLIMITED;
    Amounts maxContainer = Amounts.UNLIMITED;

    @Nullable
    Integer maxApps;

    @Nullable
    Double maxAmShare;

    @Nullable
    Long belowMin;

    @Nullable
    Long belowFair;

    @Nullable
    Double threshold;

    boolean preemptable = true;

    @Nullable
    AccessList submit;

    @Nullable
    AccessList administer;

    boolean parent;
    boolean plan;

    @Nullable
    AccessList submitReservations;

    @Nullable
    AccessList listReservations;

    @Nullable
    AccessList administerReservations;

    FairQueueBuilder(String path, int line) {
        this.path = path;
        this.line = line;
    }

    FairQueueBuilder child(String name, int atLine) {
        return children.computeIfAbsent(name, unused -> new FairQueueBuilder(path + "." + name, atLine));
    }

    boolean isParent() {
        return parent || plan || !children.isEmpty() || path.equals(ConfigSchema.ROOT_QUEUE);
    }

    /** The defaults for all queues. */
    record Defaults(String policy, Amounts maxResources, int maxApps, double maxAmShare, Plan plan) {}

    String policyOr(Defaults defaults) {
        return policy == null ? defaults.policy() : policy;
    }

    private Plan.Access access() {
        return new Plan.Access(
                orEveryone(submitReservations), orEveryone(listReservations), orEveryone(administerReservations));
    }

    private static AccessList orEveryone(@Nullable AccessList list) {
        return list == null ? AccessList.EVERYONE : list;
    }

    QueueSpec spec(Defaults defaults, QueuePreemptionSettings above) {
        boolean root = path.equals(ConfigSchema.ROOT_QUEUE);
        double part = threshold == null ? above.threshold() : threshold;
        QueuePreemptionSettings protection = new QueuePreemptionSettings(
                min,
                above.revocable() && preemptable,
                belowMin == null ? above.belowGuaranteeMillis() : belowMin,
                belowFair == null ? above.belowShareMillis() : belowFair,
                part,
                part); // it is helped no further
        List<QueueSpec> below = children.values().stream()
                .map(child -> child.spec(defaults, protection))
                .toList();
        AccessList nobodyElse = root ? AccessList.EVERYONE : AccessList.NOBODY;
        return new QueueSpec(
                path,
                Weights.of(weight),
                policyOr(defaults),
                ConfigSchema.USER_ORDER.fallback(),
                max == null ? defaults.maxResources() : max,
                Amounts.UNLIMITED,
                maxApps == null ? defaults.maxApps() : maxApps,
                Integer.MAX_VALUE,
                isParent()
                        ? ConfigSchema.MAX_AM_SHARE.fallback()
                        : maxAmShare == null ? defaults.maxAmShare() : maxAmShare,
                submit == null ? nobodyElse : submit,
                administer == null ? nobodyElse : administer,
                Map.of(),
                new QueueTraits(
                        isParent(),
                        false,
                        Integer.MAX_VALUE,
                        0,
                        List.of(),
                        isParent() ? QueueTraits.Division.USERS : QueueTraits.Division.APPLICATIONS,
                        Amounts.UNLIMITED,
                        maxContainer,
                        maxChild,
                        plan ? defaults.plan().open(access()) : null),
                Lifetime.FOR_EVER,
                Partitions.ALL,
                protection,
                below);
    }
}
