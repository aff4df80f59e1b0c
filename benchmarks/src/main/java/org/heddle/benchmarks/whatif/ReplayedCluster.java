// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.whatif;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.heddle.whatif.model.History;
import org.heddle.whatif.model.Size;
import org.heddle.whatif.outcome.Outcome;
import org.heddle.whatif.replay.Replay;
import org.heddle.whatif.scheduler.QueueFiles;
import org.heddle.whatif.scheduler.ReplayConfiguration;
import org.heddle.whatif.scheduler.SchedulerKind;

/**
 * The same jobs on the same nodes under each scheduler, on a virtual clock. All schedulers get one fair-scheduler.xml,
 * or what Hadoop's converter makes of it, and allocate as many containers at a heartbeat as fit.
 */
final class ReplayedCluster {
    /** When all replays begin: 2026-11-01T00:00:00Z, in milliseconds since 1970. */
    static final long BEGIN = 1_793_491_200_000L;

    private static final long HEARTBEAT_MILLIS = 1_000;

    private final List<Size> nodes;
    private final Path queues;
    private final Path scratch;
    private final Configuration site = new Configuration(false);

    /**
     * @param policy of all queues: {@code drf}, or {@code fair}, which counts memory alone
     * @param elements of {@code <allocations>}: queues below {@code <queue name="root">} and what else is wanted
     * @param scratch an existing directory
     */
    ReplayedCluster(int nodes, Size node, String policy, String elements, Path scratch) throws IOException {
        this.nodes = Collections.nCopies(nodes, node);
        this.scratch = scratch;
        Path directory = Files.createTempDirectory(scratch, "queues");
        queues = Files.writeString(
                directory.resolve("fair-scheduler.xml"),
                "<allocations><defaultQueueSchedulingPolicy>" + policy + "</defaultQueueSchedulingPolicy>"
                        + "<queueMaxAMShareDefault>-1.0</queueMaxAMShareDefault>" + elements
                        + "<queuePlacementPolicy><rule name=\"specified\" create=\"false\"/><rule name=\"reject\"/>"
                        + "</queuePlacementPolicy></allocations>");
        site.set("yarn.scheduler.fair.assignmultiple", "true");
        site.set("yarn.scheduler.fair.dynamic.max.assign", "false");
        site.set("yarn.scheduler.capacity.per-node-heartbeat.maximum-offswitch-assignments", "100");
    }

    /** One more key of yarn-site.xml. */
    ReplayedCluster with(String key, String value) {
        site.set(key, value);
        return this;
    }

    /** The schedulers by the names that tables show. */
    static Map<String, SchedulerKind> schedulers() {
        Map<String, SchedulerKind> all = new LinkedHashMap<>();
        all.put("DrfScheduler", SchedulerKind.HEDDLE);
        all.put("FairScheduler", SchedulerKind.FAIR);
        all.put("CapacityScheduler", SchedulerKind.CAPACITY);
        return all;
    }

    /** Queues with equal shares below the root. */
    static String equalQueues(Iterable<String> names) {
        StringBuilder xml = new StringBuilder("<queue name=\"root\">");
        names.forEach(name -> xml.append("<queue name=\"").append(name).append("\"/>"));
        return xml.append("</queue>").toString();
    }

    /** @throws IllegalStateException if a job is refused or does not end */
    Outcome replay(SchedulerKind kind, History history) throws IOException {
        ReplayConfiguration.Prepared prepared =
                new ReplayConfiguration(new QueueFiles(List.of(queues)), site, nodes, scratch).of(kind);
        try (Replay replay =
                new Replay(history, kind.word(), prepared.conf(), nodes, HEARTBEAT_MILLIS, false, sentence -> {})) {
            Outcome outcome = replay.run(prepared.remarks());
            if (!outcome.refused().isEmpty() || !outcome.unfinished().isEmpty()) {
                throw new IllegalStateException(kind.word() + " refused " + outcome.refused() + " and left "
                        + outcome.unfinished() + " unfinished");
            }
            return outcome;
        }
    }

    /** The dominant share of a queue in each interval, 0 to 1. */
    static double[] shares(Outcome outcome, String queue) {
        return Objects.requireNonNull(outcome.shares().get("root." + queue), queue);
    }

    /** The mean share of a queue from one second to another after the beginning. */
    static double meanShare(Outcome outcome, String queue, int fromSeconds, int toSeconds) {
        double[] shares = shares(outcome, queue);
        double sum = 0;
        int count = 0;
        for (int i = 0; i < shares.length; i++) {
            long second = i * outcome.intervalMillis() / 1_000;
            if (second >= fromSeconds && second < toSeconds) {
                sum += shares[i];
                count++;
            }
        }
        return count == 0 ? Double.NaN : sum / count;
    }
}
