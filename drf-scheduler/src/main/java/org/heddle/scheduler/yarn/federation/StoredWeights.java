// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.federation;

import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.federation.store.records.GetSubClusterPoliciesConfigurationsRequest;
import org.apache.hadoop.yarn.server.federation.utils.FederationStateStoreFacade;
import org.heddle.scheduler.config.SchedulerKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads this sub-cluster's weights from the federation's state store from time to time, in a thread of its own: the
 * store may be slow. If it cannot be read the last weights stay.
 */
public final class StoredWeights {
    private static final Logger LOG = LoggerFactory.getLogger(StoredWeights.class);

    /** What there is in the store now, by path of the queue. */
    interface Store {
        Map<String, Double> weights() throws YarnException;
    }

    private final Store store;
    private final long intervalMillis;
    private final ScheduledExecutorService thread;
    private volatile Map<String, Double> latest = Map.of();
    private boolean failing;

    StoredWeights(Store store, long intervalMillis) {
        this.store = store;
        this.intervalMillis = intervalMillis;
        this.thread = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread reader = new Thread(work, "heddle-federation-weights");
            reader.setDaemon(true);
            return reader;
        });
    }

    /** Those of the sub-cluster that the configuration names; reads nothing before {@link #start}. */
    public static StoredWeights of(Configuration conf) {
        String cluster = YarnConfiguration.getClusterId(conf);
        return new StoredWeights(
                () -> WeightRecords.weights(
                        FederationStateStoreFacade.getInstance(conf)
                                .getStateStore()
                                .getPoliciesConfigurations(GetSubClusterPoliciesConfigurationsRequest.newInstance())
                                .getPoliciesConfigs(),
                        cluster),
                SchedulerKeys.FEDERATION_INTERVAL_MS.read(conf::get));
    }

    /** Whether a ResourceManager with this configuration reads weights. */
    public static boolean areWanted(Configuration conf) {
        return conf.getBoolean(YarnConfiguration.FEDERATION_ENABLED, YarnConfiguration.DEFAULT_FEDERATION_ENABLED)
                && SchedulerKeys.FEDERATION_INTERVAL_MS.read(conf::get) > 0;
    }

    /** Begins to read. */
    @SuppressWarnings("FutureReturnValueIgnored") // read() catches what goes wrong
    public void start() {
        thread.scheduleWithFixedDelay(this::read, 0, intervalMillis, TimeUnit.MILLISECONDS);
    }

    public void stop() {
        thread.shutdownNow();
    }

    /** Reads them once. */
    void read() {
        try {
            Map<String, Double> now = store.weights();
            if (!now.equals(latest)) {
                LOG.info("Weights of the federation: {}", now.isEmpty() ? "none, the configured ones hold" : now);
            }
            latest = now;
            failing = false;
        } catch (YarnException | RuntimeException e) {
            if (!failing) {
                LOG.warn("The federation's state store cannot be read; the queues keep their weights: {}", latest, e);
            }
            failing = true;
        }
    }

    /** By path of the queue; empty if the store has none. */
    Map<String, Double> latest() {
        return latest;
    }
}
