// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.sls;

import java.util.List;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.apache.hadoop.yarn.sls.SLSRunner;
import org.apache.hadoop.yarn.sls.scheduler.SLSSchedulerCommons;
import org.apache.hadoop.yarn.sls.scheduler.SchedulerMetrics;
import org.apache.hadoop.yarn.sls.scheduler.SchedulerWrapper;
import org.apache.hadoop.yarn.sls.scheduler.Tracker;
import org.heddle.scheduler.yarn.HeddleScheduler;
import org.jspecify.annotations.Nullable;

/**
 * DrfScheduler as the simulator wants a scheduler: it measures each call from outside and counts applications that end.
 * For FairScheduler and CapacityScheduler it has such classes itself.
 */
public final class HeddleUnderSls extends HeddleScheduler implements SchedulerWrapper, Configurable {
    private final SLSSchedulerCommons simulator = new SLSSchedulerCommons(this);

    @Nullable
    private Configuration conf;

    @Nullable
    private SLSRunner runner;

    public HeddleUnderSls() {
        super("DrfScheduler");
    }

    @Override
    public void setConf(Configuration conf) {
        this.conf = conf;
        conf.set(HeddleUnderSls.class.getName(), Metrics.class.getName());
        simulator.initMetrics(schedulerClass(), conf);
    }

    @SuppressWarnings("unchecked") // the simulator names its parameter's type with wildcards, a class literal has none
    private static Class<? extends AbstractYarnScheduler<?, ?>> schedulerClass() {
        return HeddleUnderSls.class;
    }

    @Override
    @Nullable
    public Configuration getConf() {
        return conf;
    }

    @Override
    public Allocation allocate(
            ApplicationAttemptId attempt,
            List<ResourceRequest> asks,
            List<SchedulingRequest> requests,
            List<ContainerId> releases,
            List<String> blacklistAdditions,
            List<String> blacklistRemovals,
            ContainerUpdates updates) {
        return simulator.allocate(attempt, asks, requests, releases, blacklistAdditions, blacklistRemovals, updates);
    }

    @Override
    public Allocation allocatePropagated(
            ApplicationAttemptId attempt,
            List<ResourceRequest> asks,
            List<SchedulingRequest> requests,
            List<ContainerId> releases,
            List<String> blacklistAdditions,
            List<String> blacklistRemovals,
            ContainerUpdates updates) {
        return super.allocate(attempt, asks, requests, releases, blacklistAdditions, blacklistRemovals, updates);
    }

    @Override
    public void handle(SchedulerEvent event) {
        simulator.handle(event);
    }

    @Override
    public void propagatedHandle(SchedulerEvent event) {
        super.handle(event);
    }

    @Override
    public SchedulerMetrics getSchedulerMetrics() {
        return simulator.getSchedulerMetrics();
    }

    @Override
    public Tracker getTracker() {
        return simulator.getTracker();
    }

    @Override
    public String getRealQueueName(String queue) {
        return queue.substring(queue.lastIndexOf('.') + 1);
    }

    @Override
    public void setSLSRunner(SLSRunner runner) {
        this.runner = runner;
    }

    @Override
    @Nullable
    public SLSRunner getSLSRunner() {
        return runner;
    }

    /** What the simulator measures of every scheduler. */
    public static final class Metrics extends SchedulerMetrics {
        public Metrics() {}
    }
}
