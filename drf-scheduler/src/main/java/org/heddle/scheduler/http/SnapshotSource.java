// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerHealth;
import org.heddle.scheduler.accounting.UsageQuery;
import org.heddle.scheduler.accounting.UsageReport;
import org.heddle.scheduler.model.ClusterRules;
import org.heddle.scheduler.snapshot.ConfigurationChange;
import org.heddle.scheduler.snapshot.History;
import org.heddle.scheduler.snapshot.LimitExceeded;
import org.heddle.scheduler.snapshot.NodeReport;
import org.heddle.scheduler.snapshot.QueueDetails;
import org.heddle.scheduler.snapshot.SchedulerSnapshot;
import org.heddle.scheduler.snapshot.Waiting;
import org.jspecify.annotations.Nullable;

/** The source of what pages and REST show; the scheduler implements it. */
@FunctionalInterface
public interface SnapshotSource {
    /** The state now, or a moment ago. Any thread; does not delay the scheduler. */
    SchedulerSnapshot snapshot();

    /** FairScheduler's figures of all queues now, by path. */
    default Map<String, QueueDetails> queueDetails() {
        return Map.of();
    }

    /** The scheduler whose form the answers of YARN's own REST have. */
    default ClusterRules.Compatibility compatibility() {
        return ClusterRules.Compatibility.HEDDLE;
    }

    /** Whether containers are preempted. */
    default boolean preempts() {
        return false;
    }

    /**
     * Hadoop's record of the last containers and of the last heartbeat, kept for CapacityScheduler's form; null if
     * there is none.
     */
    default @Nullable SchedulerHealth getSchedulerHealth() {
        return null;
    }

    /** The limits that were exceeded in shadow mode; null in any other mode. */
    default @Nullable List<LimitExceeded> shadowLimits() {
        return null;
    }

    /** The configurations that came into force since this scheduler was made, oldest first. */
    default List<ConfigurationChange> configurationChanges() {
        return List.of();
    }

    /** The nodes, in no order. */
    default List<NodeReport> nodes() {
        return List.of();
    }

    /** Shares over time. */
    default History history() {
        return History.EMPTY;
    }

    /**
     * What applications have used; null if the accounting is off.
     *
     * @throws IOException one sentence, if the files cannot be read
     */
    default @Nullable UsageReport usage(UsageQuery query) throws IOException {
        return null;
    }

    /** Why an application waits now; null if there is no such application. */
    default @Nullable Waiting why(String applicationId) {
        return null;
    }
}
