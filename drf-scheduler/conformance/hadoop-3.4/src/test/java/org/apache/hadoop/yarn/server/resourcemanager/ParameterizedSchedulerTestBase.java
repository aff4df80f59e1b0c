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
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

/**
 * The same as the class of this name for Hadoop 3.5, in the JUnit of Hadoop 3.4's suites: they find the same members as
 * in Hadoop's class, which this one stands before, and run under our scheduler.
 */
@RunWith(Parameterized.class)
public abstract class ParameterizedSchedulerTestBase {
    protected static final String TEST_DIR =
            new File(System.getProperty("test.build.data", "target/test-data")).getAbsolutePath();

    private final SchedulerType schedulerType;
    private final YarnConfiguration conf;
    private final AbstractYarnScheduler<?, ?> scheduler;

    /** Whose expectations a test follows where its code branches. The scheduler is ours under each of them. */
    public enum SchedulerType {
        CAPACITY,
        FAIR,
        HEDDLE
    }

    public ParameterizedSchedulerTestBase(SchedulerType type) throws IOException {
        QueueMetrics.clearQueueMetrics();
        DefaultMetricsSystem.setMiniClusterMode(true);
        conf = new YarnConfiguration();
        conf.setClass(YarnConfiguration.RM_SCHEDULER, DrfScheduler.class, AbstractYarnScheduler.class);
        scheduler = new DrfScheduler();
        schedulerType = type;
    }

    /** What the suites' parameterized tests run with. */
    @Parameterized.Parameters(name = "{0}")
    public static Collection<Object[]> getParameters() {
        return List.<Object[]>of(new Object[] {SchedulerType.HEDDLE});
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
