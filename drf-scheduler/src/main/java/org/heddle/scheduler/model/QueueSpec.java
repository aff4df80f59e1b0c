// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

import com.google.errorprone.annotations.CheckReturnValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.heddle.scheduler.model.QueueSetting.Trait;
import org.jspecify.annotations.Nullable;

/**
 * One queue as configured. The access lists are those of this queue only; users that a queue
 * above admits are admitted too.
 *
 * @param path full name from the root, dots between: {@code root.science.sort}
 * @param parent takes no applications, even while it has no queues inside
 * @param values each setting that does not have its default; {@link QueueSettings} says what they mean
 * @param children in the order of the file; a queue without children is a leaf and takes applications,
 *     unless it is a parent
 */
@CheckReturnValue
public record QueueSpec(String path, boolean parent, Map<QueueSetting<?>, Object> values, List<QueueSpec> children) {
    /** ApplicationMasters may take the whole queue. */
    public static final double UNLIMITED_AM_SHARE = Double.POSITIVE_INFINITY;

    /** What the order of a leaf sorts. */
    public enum Division {
        /** Its users; each user's applications have an order of their own. */
        USERS,
        /** Its applications, of all users together: as FairScheduler does. */
        APPLICATIONS
    }

    public QueueSpec {
        values = Map.copyOf(values);
        children = List.copyOf(children);
    }

    /** A queue with all defaults. */
    public static QueueSpec at(String path) {
        return new QueueSpec(path, false, Map.of(), List.of());
    }

    /** The outermost queue of a file that says nothing of it: open to everyone. */
    public static QueueSpec root() {
        return at("root").with(QueueSettings.SUBMIT, AccessList.EVERYONE);
    }

    /** A queue inside this one, with the settings that it inherits. */
    public QueueSpec inside(String name) {
        return at(path + "." + name).like(this, Trait.INHERITED);
    }

    /** The same with the other queue's value of each setting that has a trait. */
    public QueueSpec like(QueueSpec other, Trait trait) {
        QueueSpec queue = this;
        for (QueueSetting<?> setting : QueueSettings.ALL) {
            queue = setting.is(trait) ? queue.copy(setting, other) : queue;
        }
        return queue;
    }

    private <T> QueueSpec copy(QueueSetting<T> setting, QueueSpec other) {
        return with(setting, other.get(setting));
    }

    /** The same with another value of a setting. */
    public <T> QueueSpec with(QueueSetting<T> setting, T value) {
        if (value.equals(get(setting))) {
            return this;
        }
        Map<QueueSetting<?>, Object> changed = new HashMap<>(values);
        if (value.equals(setting.fallback())) {
            changed.remove(setting);
        } else {
            changed.put(setting, setting.kept(value));
        }
        return new QueueSpec(path, parent, changed, children);
    }

    public QueueSpec withParent(boolean isParent) {
        return new QueueSpec(path, isParent, values, children);
    }

    public QueueSpec withChildren(List<QueueSpec> others) {
        return new QueueSpec(path, parent, values, others);
    }

    /** The value of a setting. */
    public <T> T get(QueueSetting<T> setting) {
        return setting.in(values);
    }

    /** The last part of the path. */
    public String name() {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    public boolean isLeaf() {
        return children.isEmpty() && !parent;
    }

    /** This queue and all below it, parents first. */
    public Stream<QueueSpec> all() {
        return Stream.concat(Stream.of(this), children.stream().flatMap(QueueSpec::all));
    }

    public Weights weights() {
        return get(QueueSettings.WEIGHT);
    }

    public String order() {
        return get(QueueSettings.ORDER);
    }

    public String userOrder() {
        return get(QueueSettings.USER_ORDER);
    }

    public Amounts maxResources() {
        return get(QueueSettings.MAX_RESOURCES);
    }

    public Amounts maxResourcesPerUser() {
        return get(QueueSettings.MAX_RESOURCES_PER_USER);
    }

    public int maxRunningApps() {
        return get(QueueSettings.MAX_RUNNING_APPS);
    }

    public int maxRunningAppsPerUser() {
        return get(QueueSettings.MAX_RUNNING_APPS_PER_USER);
    }

    public double maxAmShare() {
        return get(QueueSettings.MAX_AM_SHARE);
    }

    public AccessList submit() {
        return get(QueueSettings.SUBMIT);
    }

    public AccessList administer() {
        return get(QueueSettings.ADMINISTER);
    }

    public Map<String, Weights> userWeights() {
        return get(QueueSettings.USER_WEIGHTS);
    }

    /** How its resources are reserved ahead of time; null if they cannot be. */
    public @Nullable Plan plan() {
        return get(QueueSettings.PLAN).orElse(null);
    }

    public boolean isPlan() {
        return plan() != null;
    }

    public Lifetime lifetime() {
        return new Lifetime(
                get(QueueSettings.MAX_APPLICATION_LIFETIME), get(QueueSettings.DEFAULT_APPLICATION_LIFETIME));
    }

    public Partitions partitions() {
        return new Partitions(
                get(QueueSettings.NODE_LABELS),
                get(QueueSettings.DEFAULT_NODE_LABEL),
                get(QueueSettings.LABEL_CAPACITIES));
    }

    public QueuePreemptionSettings protection() {
        return protection(get(QueueSettings.FAIR_SHARE_PREEMPTION_TIMEOUT));
    }

    /** The same for its users. */
    public QueuePreemptionSettings protectionOfUsers() {
        long own = get(QueueSettings.USER_PREEMPTION_TIMEOUT);
        return own < 0 ? protection() : protection(own);
    }

    private QueuePreemptionSettings protection(long belowShareMillis) {
        return new QueuePreemptionSettings(
                get(QueueSettings.GUARANTEED_RESOURCES),
                get(QueueSettings.ALLOW_PREEMPTION_FROM),
                get(QueueSettings.GUARANTEE_PREEMPTION_TIMEOUT),
                belowShareMillis,
                get(QueueSettings.FAIR_SHARE_PREEMPTION_THRESHOLD),
                get(QueueSettings.FAIR_SHARE_PREEMPTION_TARGET));
    }
}
