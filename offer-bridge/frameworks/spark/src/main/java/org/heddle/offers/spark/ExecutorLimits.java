// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark;

import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.resource.ResourceProfile;
import org.apache.spark.resource.ResourceProfile$;
import org.apache.spark.scheduler.cluster.SchedulerBackendUtils;

/** Size and number of executors by Spark's own settings. */
final class ExecutorLimits {
    private static final int UNLIMITED = Integer.MAX_VALUE;

    private final SparkConf conf;
    private final ExecutorSize size;

    private ExecutorLimits(SparkConf conf, ExecutorSize size) {
        this.conf = conf;
        this.size = size;
        if (most() == 0) {
            throw new IllegalArgumentException("spark.cores.max = " + conf.get("spark.cores.max")
                    + " is less than spark.executor.cores = " + size.cores() + ": no executor may start");
        }
    }

    /** @throws IllegalArgumentException with a sentence for the user if the settings contradict each other */
    static ExecutorLimits of(SparkContext spark) {
        SparkConf conf = spark.conf();
        int cores = conf.getInt("spark.executor.cores", 1);
        ResourceProfile profile = spark.resourceProfileManager().defaultResourceProfile();
        long memMb = ResourceProfile$.MODULE$
                .getResourcesForClusterManager(
                        profile.id(),
                        profile.executorResources(),
                        conf.getDouble("spark.executor.memoryOverheadFactor", 0.1),
                        conf,
                        conf.contains("spark.executor.pyspark.memory"),
                        scala.collection.immutable.Map$.MODULE$.empty())
                .totalMemMiB();
        return new ExecutorLimits(conf, new ExecutorSize(cores, memMb));
    }

    static ExecutorLimits of(SparkConf conf, ExecutorSize size) {
        return new ExecutorLimits(conf, size);
    }

    ExecutorSize size() {
        return size;
    }

    /** Tasks that an executor runs at a time. */
    int tasksPerExecutor() {
        return Math.max(1, size.cores() / Math.max(1, conf.getInt("spark.task.cpus", 1)));
    }

    /** The most executors at a time. */
    int most() {
        return conf.contains("spark.cores.max") ? conf.getInt("spark.cores.max", 0) / size.cores() : UNLIMITED;
    }

    /** The number of executors to begin with: all that are offered, unless a setting says otherwise. */
    int initial() {
        return SchedulerBackendUtils.getInitialTargetExecutorNumber(conf, UNLIMITED);
    }

    /** The executors for which the first job waits; 0 if their number is not known before. */
    int expected() {
        int expected = Math.min(initial(), most());
        return expected == UNLIMITED ? 0 : expected;
    }
}
