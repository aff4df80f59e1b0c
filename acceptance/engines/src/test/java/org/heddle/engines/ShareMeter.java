// SPDX-License-Identifier: Apache-2.0
package org.heddle.engines;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.heddle.acceptance.Cluster;
import org.heddle.testkit.Await;

/** Samples the dominant shares of queues while all of them ask for more than they have. */
final class ShareMeter {
    private static final double ALL_CORES = Engines.NODES * Engines.NODE_CORES;
    private static final double ALL_MB = Engines.NODES * Engines.NODE_MB;

    private final Cluster cluster;
    private final List<String> queues;
    private final List<Map<String, Double>> samples = new ArrayList<>();

    ShareMeter(Cluster cluster, List<String> queues) {
        this.cluster = cluster;
        this.queues = List.copyOf(queues);
    }

    /** Samples until the time is over, from when all queues are backlogged. */
    void sample(Duration time) {
        Await.until("all queues to ask for more", Duration.ofMinutes(3), () -> backlogged(all()), this::seen);
        long end = System.nanoTime() + time.toNanos();
        Await.until("the time to be over", time.plusMinutes(1), () -> {
            List<Application> all = all();
            if (backlogged(all)) {
                samples.add(shares(all));
            }
            return System.nanoTime() - end >= 0;
        });
    }

    /** Mean dominant share of each queue, over the samples from a part of the time on. */
    Map<String, Double> mean(double from) {
        List<Map<String, Double>> counted = samples.subList((int) (samples.size() * from), samples.size());
        Map<String, Double> mean = new TreeMap<>();
        for (String queue : queues) {
            mean.put(
                    queue,
                    counted.stream()
                            .mapToDouble(sample -> sample.get(queue))
                            .average()
                            .orElseThrow());
        }
        return mean;
    }

    int size() {
        return samples.size();
    }

    private List<Application> all() throws IOException {
        return Application.all(cluster).stream().filter(app -> !app.isOver()).toList();
    }

    private boolean backlogged(List<Application> all) {
        return queues.stream()
                .allMatch(queue -> all.stream()
                        .anyMatch(app ->
                                app.queue().endsWith(queue) && app.state().equals("RUNNING") && app.pending() > 0));
    }

    private Map<String, Double> shares(List<Application> all) {
        Map<String, Double> shares = new TreeMap<>();
        for (String queue : queues) {
            List<Application> own =
                    all.stream().filter(app -> app.queue().endsWith(queue)).toList();
            double cores = own.stream().mapToInt(Application::cores).sum() / ALL_CORES;
            double memory = own.stream().mapToInt(Application::megabytes).sum() / ALL_MB;
            shares.put(queue, Math.max(cores, memory));
        }
        return shares;
    }

    private String seen() {
        try {
            return all().toString();
        } catch (IOException e) {
            return e.toString();
        }
    }
}
