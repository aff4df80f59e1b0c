// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.model.Vectors;
import org.heddle.scheduler.snapshot.LimitExceeded;
import org.heddle.scheduler.yarn.app.AmShare;
import org.heddle.scheduler.yarn.app.HeddleApplication;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.heddle.scheduler.yarn.queue.QueueTree;
import org.heddle.settings.Clocks;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * In shadow mode, compares what queues, users and applications hold with the limits that are configured and not in
 * force. Queues that no file names have no limits here. Guarded by the scheduler's lock.
 */
public final class ShadowLimits {
    private static final Logger LOG = LoggerFactory.getLogger(ShadowLimits.class);

    /** Only so many are kept; of those that ended, the oldest are forgotten first. */
    static final int MOST_KEPT = 1_000;

    private static final String HOLDS = "holds";

    private final ShareEngine engine;
    private final QueueTree queues;
    private final ResourceVectors vectors;
    private final AmShare amShare;
    private Map<String, QueueSpec> configured = Map.of();
    private SchedulerSpec intended;
    private final Clocks clocks;
    /** Their times are those of the monotonic clock. */
    private final Map<String, LimitExceeded> exceeded = new LinkedHashMap<>();

    private final Set<String> seen = new HashSet<>();
    private long nowMillis;

    /** @param intended what would be in force */
    public ShadowLimits(
            ShareEngine engine, QueueTree queues, ResourceVectors vectors, SchedulerSpec intended, Clocks clocks) {
        this.clocks = clocks;
        this.engine = engine;
        this.queues = queues;
        this.vectors = vectors;
        this.amShare = new AmShare(engine, queues);
        this.intended = intended;
        setIntended(intended);
    }

    public void setIntended(SchedulerSpec next) {
        intended = next;
        configured = new HashMap<>();
        next.root().all().forEach(queue -> configured.put(queue.path(), queue));
    }

    /** Looks at everything; the cost is that of a look at each queue, user and application. */
    public void tick() {
        nowMillis = clocks.millis();
        seen.clear();
        for (HeddleQueue queue : queues.all()) {
            QueueSpec spec = configured.get(queue.getQueueName());
            if (spec != null) {
                look(queue, spec);
            }
        }
        lookAtUsers();
        exceeded.replaceAll((key, each) -> each.untilMillis() == 0 && !seen.contains(key) ? ended(each) : each);
        forgetOld();
    }

    /** Those that are exceeded now and those that were, in order of their beginning. */
    public List<LimitExceeded> shown() {
        return exceeded.values().stream().map(this::dated).toList();
    }

    private LimitExceeded dated(LimitExceeded each) {
        long until = each.untilMillis() == 0 ? 0 : clocks.dateOf(each.untilMillis());
        return new LimitExceeded(each.limit(), each.subject(), each.text(), clocks.dateOf(each.sinceMillis()), until);
    }

    private void look(HeddleQueue queue, QueueSpec spec) {
        String name = "queue " + queue.getQueueName();
        resources(
                "max-resources",
                name,
                HOLDS,
                queue.schedulable().usage(),
                queues.limits().of(spec));
        spec.partitions().capacities().forEach((label, capacity) -> {
            long[] held = new long[vectors.size()];
            Arrays.setAll(held, j -> queue.usageOn(label, j));
            resources(
                    "node-label max-resources",
                    name + " on nodes with label \"" + label + "\"",
                    HOLDS,
                    held,
                    vectors.limit(capacity.max(), queues.limits().labels().total(label)));
        });
        count("max-running-apps", name, "runs", queue.running(), spec.maxRunningApps());
        int most = spec.get(QueueSettings.MAX_APPLICATIONS);
        if (most != Integer.MAX_VALUE) {
            count("max-applications", name, "has", queue.applications().size(), most);
        }
        long[] perUser = vectors.limit(spec.maxResourcesPerUser(), engine.capacity());
        queue.users()
                .forEach((user, schedulable) -> resources(
                        "max-resources-per-user", "user " + user + " in " + name, HOLDS, schedulable.usage(), perUser));
        queue.runningOfUser()
                .forEach((user, running) -> count(
                        "max-running-apps-per-user",
                        "user " + user + " in " + name,
                        "runs",
                        running,
                        spec.maxRunningAppsPerUser()));
        if (queue.isLeaf()) {
            lookAtApplications(
                    queue, vectors.limit(spec.get(QueueSettings.MAX_RESOURCES_PER_APPLICATION), engine.capacity()));
            lookAtMasters(queue, spec, name);
        }
    }

    private void lookAtApplications(HeddleQueue leaf, long @Nullable [] most) {
        if (most == null) {
            return;
        }
        for (HeddleApplication application : HeddleApplication.of(leaf)) {
            Schedulable schedulable = application.schedulable();
            resources("max-resources-per-application", schedulable.name(), HOLDS, schedulable.usage(), most);
        }
    }

    private void lookAtMasters(HeddleQueue leaf, QueueSpec spec, String name) {
        long[] held = new long[vectors.size()];
        Arrays.setAll(held, leaf::masterUsage);
        boolean first = leaf.masters() <= 1 && !queues.rules().likeFairScheduler();
        resources(
                "max-am-share",
                name,
                "gives its ApplicationMasters",
                held,
                first ? null : amShare.limit(leaf, spec.maxAmShare()));
    }

    private void lookAtUsers() {
        Map<String, Integer> running = new HashMap<>();
        for (HeddleQueue queue : queues.all()) {
            if (queue.isLeaf()) {
                queue.runningOfUser().forEach((user, count) -> running.merge(user, count, Integer::sum));
            }
        }
        running.forEach((user, count) -> count(
                "max-running-apps",
                "user " + user + " in all queues together",
                "runs",
                count,
                intended.rules().maxRunningApps(user)));
    }

    private void resources(String limit, String subject, String verb, long[] held, long @Nullable [] most) {
        if (most != null && !Vectors.fit(held, most)) {
            saw(
                    limit,
                    subject,
                    subject + " " + verb + " " + vectors.words(held) + ", more than " + vectors.words(most));
        }
    }

    private void count(String limit, String subject, String verb, int count, int most) {
        if (count > most) {
            saw(limit, subject, subject + " " + verb + " " + count + " applications, more than " + most);
        }
    }

    private void saw(String limit, String subject, String text) {
        String key = limit + " " + subject;
        seen.add(key);
        LimitExceeded before = exceeded.get(key);
        if (before != null && before.untilMillis() == 0) {
            exceeded.put(key, new LimitExceeded(limit, subject, text, before.sinceMillis(), 0));
            return;
        }
        LOG.info("Shadow mode, {}: {}; with the limit in force, the rest would wait", limit, text);
        exceeded.remove(key); // so that it is the last one
        exceeded.put(key, new LimitExceeded(limit, subject, text, nowMillis, 0));
    }

    private LimitExceeded ended(LimitExceeded each) {
        LOG.info("Shadow mode, {}: {} is within the limit again", each.limit(), each.subject());
        return new LimitExceeded(each.limit(), each.subject(), each.text(), each.sinceMillis(), nowMillis);
    }

    private void forgetOld() {
        int surplus = exceeded.size() - MOST_KEPT;
        if (surplus > 0) {
            List<String> old = new ArrayList<>();
            exceeded.forEach((key, each) -> {
                if (each.untilMillis() != 0 && old.size() < surplus) {
                    old.add(key);
                }
            });
            exceeded.keySet().removeAll(old);
        }
    }
}
