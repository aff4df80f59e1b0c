// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.yarn.server.resourcemanager;

import java.io.File;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.heddle.drf.DrfScheduler;

/**
 * Stands before Hadoop's class of this name on the class path. Hadoop's suites that run once for each of its two
 * schedulers ask that class for the schedulers to run under; here they get ours. They find the same members and nothing
 * else: which of their branches, for CapacityScheduler or FairScheduler, is taken, their own code decides by
 * {@link #getSchedulerType()}.
 */
public abstract class ParameterizedSchedulerTestBase {
    protected static final String TEST_DIR =
            new File(System.getProperty("test.build.data", "target/test-data")).getAbsolutePath();

    /** Whose expectations a test follows where its code branches. The scheduler is ours under each of them. */
    public enum SchedulerType {
        CAPACITY,
        FAIR,
        HEDDLE
    }

    private SchedulerType schedulerType;
    private YarnConfiguration conf;
    private AbstractYarnScheduler<?, ?> scheduler;

    /** What the suites' parameterized tests run with. */
    public static Collection<Object[]> getParameters() {
        return List.<Object[]>of(new Object[] {SchedulerType.HEDDLE});
    }

    /** Called by each test before anything else. */
    public void initParameterizedSchedulerTestBase(SchedulerType type) throws IOException {
        QueueMetrics.clearQueueMetrics();
        DefaultMetricsSystem.setMiniClusterMode(true);
        conf = new YarnConfiguration();
        conf.setClass(YarnConfiguration.RM_SCHEDULER, DrfScheduler.class, AbstractYarnScheduler.class);
        scheduler = new DrfScheduler();
        schedulerType = type;
    }

    /** Suites override it; nobody calls it here. */
    protected void configureFairScheduler(YarnConfiguration configuration) {}

    public YarnConfiguration getConf() {
        return conf;
    }

    public SchedulerType getSchedulerType() {
        return schedulerType;
    }

    @SuppressWarnings("rawtypes") // as the suites were compiled against it
    public AbstractYarnScheduler getScheduler() {
        return scheduler;
    }
}
