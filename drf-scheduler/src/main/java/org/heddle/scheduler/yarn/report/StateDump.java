// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.report;

import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.heddle.scheduler.policy.FairOrder;
import org.heddle.scheduler.snapshot.QueueDetails;
import org.heddle.scheduler.yarn.app.HeddleApplication;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.heddle.scheduler.yarn.queue.QueueTree;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the state of the cluster and of all queues to a log of its own, with the fields of FairScheduler's
 * {@code statedump} log and as often. It does so while that log is at level DEBUG. Under the scheduler's lock.
 */
final class StateDump {
    static final String LOG = "org.heddle.scheduler.statedump";
    /** FairScheduler's own, which its administrators have in their {@code log4j.properties}. */
    static final String FAIR_LOG =
            "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler.statedump";

    /** FairScheduler writes at each 26th update, and updates twice a second. */
    private static final long INTERVAL_MILLIS = 13_000;

    private static final Logger OWN = LoggerFactory.getLogger(LOG);
    private static final Logger FAIR = LoggerFactory.getLogger(FAIR_LOG);

    private final QueueTree queues;
    private final QueueDetailsTaker details;
    private final ResourceVectors vectors;
    private long writtenMillis;

    StateDump(QueueTree queues, QueueDetailsTaker details, ResourceVectors vectors) {
        this.queues = queues;
        this.details = details;
        this.vectors = vectors;
    }

    /** Writes if the log is on and the last time is long enough ago. */
    void tick(long nowMillis, Resource cluster) {
        Logger log = queues.rules().likeFairScheduler() && FAIR.isDebugEnabled() ? FAIR : OWN;
        if (!log.isDebugEnabled() || nowMillis - writtenMillis < INTERVAL_MILLIS) {
            return;
        }
        writtenMillis = nowMillis;
        Map<String, QueueDetails> all = details.take(cluster);
        HeddleQueue root = queues.root();
        Resource allocated = usage(root);
        log.debug(
                "Scheduler state: Cluster Capacity: {}  Allocations: {}  Availability: {}  Demand: {}",
                cluster,
                allocated,
                Resources.subtract(cluster, allocated),
                resource(of(all, root).demand()));
        StringJoiner text = new StringJoiner(", ");
        write(root, all, text);
        log.debug("{}", text);
    }

    private void write(HeddleQueue queue, Map<String, QueueDetails> all, StringJoiner text) {
        text.add(line(queue, of(all, queue)));
        queue.children().forEach(child -> write(child, all, text));
    }

    private String line(HeddleQueue queue, QueueDetails more) {
        long[] limit = queues.limits().of(queue.spec());
        int runnable = 0;
        int without = 0;
        int notRunnable = 0;
        for (HeddleApplication application : HeddleApplication.of(queue)) {
            runnable += application.isRunnable() ? 1 : 0;
            notRunnable += application.isRunnable() ? 0 : 1;
            without += application.schedulable().running() == 0 ? 1 : 0;
        }
        double masters = queue.spec().maxAmShare();
        StringJoiner fields = new StringJoiner(", ", "{", "}")
                .add("Name: " + queue.getQueueName())
                .add("Weight: " + queue.spec().weights().base())
                .add("Policy: "
                        + FairOrder.shown(queue.spec().order(), queues.rules().likeFairScheduler()))
                .add("FairShare: " + resource(more.fairShare()))
                .add("SteadyFairShare: " + resource(more.steadyFairShare()))
                .add("MaxShare: " + (limit == null ? Resources.unbounded() : vectors.toResource(limit)))
                .add("MinShare: " + resource(more.minimum()))
                .add("ResourceUsage: " + usage(queue))
                .add("Demand: " + resource(more.demand()))
                .add("Runnable: " + runnable)
                .add("MaxAMShare: " + (Double.isInfinite(masters) ? -1.0 : masters));
        if (queue.isLeaf()) {
            fields.add("NumPendingApps: " + without)
                    .add("NonRunnable: " + notRunnable)
                    .add("MaxAMResource: " + resource(more.amLimit()))
                    .add("AMResourceUsage: " + resource(more.amUsage()));
        }
        return fields.toString();
    }

    private static QueueDetails of(Map<String, QueueDetails> all, HeddleQueue queue) {
        return Objects.requireNonNull(all.getOrDefault(queue.getQueueName(), QueueDetails.NONE));
    }

    private Resource usage(HeddleQueue queue) {
        return vectors.toResource(queue.schedulable().usage());
    }

    private static Resource resource(Map<String, Long> amounts) {
        Resource resource = Resource.newInstance(0, 0);
        amounts.forEach(resource::setResourceValue);
        return resource;
    }
}
