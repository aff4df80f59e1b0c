// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.jobs;

import java.util.Collections;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * A Spark program of stages that run one after another, as those of an iterative program do. Their tasks use no
 * processor.
 */
public final class SleepingStages {
    private SleepingStages() {}

    /** @param args stages, tasks of each, milliseconds of a task */
    public static void main(String[] args) {
        int tasks = Integer.parseInt(args[1]);
        long millis = Long.parseLong(args[2]);
        try (JavaSparkContext spark = new JavaSparkContext(new SparkConf())) {
            for (int stage = 0; stage < Integer.parseInt(args[0]); stage++) {
                spark.parallelize(Collections.nCopies(tasks, 1), tasks)
                        .foreach(one -> TimeUnit.MILLISECONDS.sleep(millis));
            }
        }
    }
}
