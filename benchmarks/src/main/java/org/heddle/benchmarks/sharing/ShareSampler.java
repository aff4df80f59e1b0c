// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.sharing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.heddle.testkit.ProcessCluster;

/**
 * Reads the applications of the ResourceManager once a second, as any client of its REST API can, until it is closed.
 */
final class ShareSampler implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String MEMORY = "allocatedMB";
    private static final String VCORES = "allocatedVCores";

    /** The resources of some applications, or of the cluster. */
    record Amount(double memoryMb, double vcores) {
        Amount plus(Amount other) {
            return new Amount(memoryMb + other.memoryMb, vcores + other.vcores);
        }

        double dominantShare(Amount whole) {
            return Math.max(memoryMb / whole.memoryMb, vcores / whole.vcores);
        }
    }

    private final ProcessCluster cluster;
    private final URI applications;
    private final Amount whole;
    private final List<ShareSample> samples = new CopyOnWriteArrayList<>();
    private final long began = System.nanoTime();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final ScheduledFuture<?> sampling;

    ShareSampler(ProcessCluster cluster) throws IOException {
        this.cluster = cluster;
        applications = cluster.managerUri(cluster.awaitActiveManager(), "/ws/v1/cluster/apps?states=ACCEPTED,RUNNING");
        whole = new Amount(cluster.metric("totalMB"), cluster.metric("totalVirtualCores"));
        sampling = timer.scheduleAtFixedRate(this::sample, 0, 1, TimeUnit.SECONDS);
    }

    private void sample() {
        try {
            double second = (System.nanoTime() - began) / 1e9;
            samples.add(new ShareSample(second, shares(JSON.readTree(cluster.get(applications)), whole)));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // no more samples
        }
    }

    /**
     * The dominant shares of the frameworks that have an application.
     *
     * @param answer of the ResourceManager
     * @param whole the cluster
     */
    static Map<Framework, Double> shares(JsonNode answer, Amount whole) {
        Map<Framework, Amount> amounts = new EnumMap<>(Framework.class);
        for (JsonNode application : answer.findParents(VCORES)) { // some of Hadoop's lists of one are no lists
            String queue = application.path("queue").asText();
            for (Framework framework : Framework.values()) {
                if (queue.equals("root." + framework.queue())) {
                    amounts.merge(framework, amount(application), Amount::plus);
                }
            }
        }
        Map<Framework, Double> shares = new EnumMap<>(Framework.class);
        amounts.forEach((framework, amount) -> shares.put(framework, amount.dominantShare(whole)));
        return shares;
    }

    /** Of an application that has not begun the ResourceManager says -1. */
    private static Amount amount(JsonNode application) {
        return new Amount(
                Math.max(0, application.path(MEMORY).asDouble()),
                Math.max(0, application.path(VCORES).asDouble()));
    }

    /**
     * What has been seen until now.
     *
     * @throws ExecutionException if the ResourceManager did not answer
     */
    ShareHistory history() throws InterruptedException, ExecutionException {
        if (sampling.isDone()) {
            sampling.get();
        }
        return new ShareHistory(samples);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
