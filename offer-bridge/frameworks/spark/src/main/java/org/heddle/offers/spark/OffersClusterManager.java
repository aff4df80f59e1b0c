// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark;

import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.ExternalClusterManager;
import org.apache.spark.scheduler.SchedulerBackend;
import org.apache.spark.scheduler.TaskScheduler;
import org.apache.spark.scheduler.TaskSchedulerImpl;

/** The cluster manager of masters {@code offers://}. Spark finds it by Java's ServiceLoader. */
public final class OffersClusterManager implements ExternalClusterManager {
    @Override
    public boolean canCreate(String master) {
        return MasterUrl.isOffers(master);
    }

    @Override
    public TaskScheduler createTaskScheduler(SparkContext spark, String master) {
        SparkConf conf = spark.conf();
        KeytabLogin.ensure(conf);
        // An inverse offer lets executors leave, with their blocks.
        conf.setIfMissing("spark.decommission.enabled", "true");
        conf.setIfMissing("spark.storage.decommission.enabled", "true");
        conf.setIfMissing("spark.storage.decommission.rddBlocks.enabled", "true");
        conf.setIfMissing("spark.storage.decommission.shuffleBlocks.enabled", "true");
        return new TaskSchedulerImpl(spark);
    }

    @Override
    public SchedulerBackend createSchedulerBackend(SparkContext spark, String master, TaskScheduler scheduler) {
        OffersSettings settings = new OffersSettings(spark.conf(), master);
        return new OffersSchedulerBackend((TaskSchedulerImpl) scheduler, spark, settings, ExecutorLimits.of(spark));
    }

    @Override
    public void initialize(TaskScheduler scheduler, SchedulerBackend backend) {
        ((TaskSchedulerImpl) scheduler).initialize(backend);
    }
}
