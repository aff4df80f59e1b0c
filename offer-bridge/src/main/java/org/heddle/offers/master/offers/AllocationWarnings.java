// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.offers;

import java.util.Locale;
import org.heddle.offers.master.state.Counters;
import org.heddle.offers.master.state.Counters.Counter;
import org.heddle.offers.master.state.FrameworkRole;
import org.heddle.offers.master.state.MasterSettings;
import org.heddle.offers.master.state.Warnings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns if YARN's settings, and not the lack of resources, keep a framework from its containers, and says what to set.
 */
final class AllocationWarnings {
    private static final Logger LOG = LoggerFactory.getLogger(AllocationWarnings.class);
    private static final long WARN_EVERY_MILLIS = 600_000;
    private static final String NOT_SHARED = "a queue that does not share";

    private final Contention contention;
    private final MasterSettings settings;
    private final Counters counters;
    private final Warnings warnings;
    private long warnAgainAt;
    /** When YARN last did not share, in ms, while the warning lasts; 0 if there is none. */
    private long notSharedAt;

    AllocationWarnings(Contention contention, MasterSettings settings, Counters counters, Warnings warnings) {
        this.contention = contention;
        this.settings = settings;
        this.counters = counters;
        this.warnings = warnings;
    }

    /** YARN has given a container back to the role that returned it: warns if another one waits for its first. */
    void givenBack(FrameworkRole role, long now) {
        FrameworkRole starved = contention.starved(role, now);
        if (starved == null) {
            return;
        }
        notSharedAt = now;
        if (now < warnAgainAt) {
            return;
        }
        warnAgainAt = now + WARN_EVERY_MILLIS;
        counters.count(Counter.SCHEDULERS_THAT_DO_NOT_SHARE);
        warnings.set(
                NOT_SHARED,
                String.format(
                        Locale.ROOT,
                        "YARN gave a returned container back to framework %s although framework %s has waited for %d s without a"
                                + " container: queue %s serves applications first come, first served. Set"
                                + " heddle.bridge.queue.shares to equal; or set yarn.scheduler.capacity.QUEUE.ordering-policy to fair"
                                + " (CapacityScheduler) or <user-order> to sojourn (DrfScheduler); or give each role a queue of its own"
                                + " with heddle.bridge.queues",
                        role.framework().id(),
                        starved.framework().id(),
                        contention.sinceProgress(starved, now) / 1000,
                        starved.placement().queue()));
    }

    /** Ends the warning if its reason has not come back for long. */
    void expire(long now) {
        if (notSharedAt > 0 && now - notSharedAt >= WARN_EVERY_MILLIS) {
            notSharedAt = 0;
            warnings.set(NOT_SHARED, "");
        }
    }

    /** A node has had room for the role's ask for long: warns if the role never had a container. */
    void unplaced(FrameworkRole role) {
        if (role.lastAllocated() != 0 || !role.refusedHosts().isEmpty()) {
            return;
        }
        counters.count(Counter.FRAMEWORKS_NEVER_PLACED);
        LOG.warn(
                "YARN allocates no container to framework {} in queue {}, although a node has room for {}. Limits of the queue"
                        + " may forbid it. CapacityScheduler counts an ApplicationMaster of the smallest container for each"
                        + " framework: raise yarn.scheduler.capacity.maximum-am-resource-percent (default 0.1) and run"
                        + " 'yarn rmadmin -refreshQueues'",
                role.framework().id(),
                role.placement().queue(),
                settings.whole(role.asked().size()));
    }
}
