// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import java.io.IOException;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.SchedulerKeys;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.policy.ShareOrders;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.config.ActiveConfiguration;
import org.heddle.scheduler.yarn.queue.QueueTree;
import org.heddle.scheduler.yarn.queue.ReconfigurationCheck;
import org.heddle.scheduler.yarn.report.ShadowLimits;
import org.jspecify.annotations.Nullable;

/**
 * The configuration and the queues that it asks for. Each specification that comes into force goes through here: the
 * scheduler adapts it, shadow mode takes its limits away, and a check may refuse it. Takes the scheduler's lock itself.
 */
final class ConfiguredQueues {
    final SplittableRandom random;
    /** The same events give the same allocations, also where an order draws lots. */
    static final long SEED = 1;

    final ShareOrders orders;
    final ActiveConfiguration configuration;
    final QueueTree tree;
    /** Only in shadow mode. */
    final @Nullable ShadowLimits shadow;

    private final SchedulerHost host;

    /** @throws IOException one sentence that says what is wrong with the file */
    ConfiguredQueues(SchedulerHost host, ShareOrders orders, Configuration conf, String schedulerName)
            throws IOException {
        this.host = host;
        this.orders = orders;
        random = new SplittableRandom(SEED);
        configuration = new ActiveConfiguration(
                conf,
                KnownNames.of(orders.names(), ResourceVectors.units()),
                host.resourceManager(),
                this::takeEffect,
                this::objection,
                host.clocks());
        boolean shadowed = SchedulerKeys.SHADOW.read(conf::get);
        SchedulerSpec intended = host.adapt(configuration.spec());
        SchedulerSpec spec = shadowed ? ShadowMode.of(intended) : intended;
        ResourceVectors vectors = new ResourceVectors(spec.rules().memoryOnly());
        ShareEngine engine = new ShareEngine(
                vectors.size(), orders.create(spec.root().order(), random), host.lock()::isHeldByCurrentThread);
        tree = new QueueTree(spec, engine, vectors, orders, random, conf, schedulerName);
        shadow = shadowed ? new ShadowLimits(engine, tree, vectors, intended, host.clocks()) : null;
    }

    /** Puts a specification into force, unless there is an objection against it; that is returned. */
    @Nullable
    String takeEffect(SchedulerSpec configured) {
        host.lock().lock();
        try {
            SchedulerSpec intended = host.adapt(configured);
            SchedulerSpec next = shadow == null ? intended : ShadowMode.of(intended);
            String objection = new ReconfigurationCheck(tree).against(next);
            if (objection == null) {
                if (shadow != null) {
                    shadow.setIntended(intended);
                }
                tree.apply(next);
                host.reconfigured();
            }
            return objection;
        } finally {
            host.lock().unlock();
        }
    }

    private @Nullable String objection(SchedulerSpec configured) {
        host.lock().lock();
        try {
            return new ReconfigurationCheck(tree).against(host.adapt(configured));
        } finally {
            host.lock().unlock();
        }
    }
}
