// SPDX-License-Identifier: Apache-2.0
package org.heddle.engines.spark;

import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Copies a text file again and again: in each round executors read it and write a directory, and each task takes its
 * time. So a test can let the job outlive what its access to files was granted for.
 *
 * <pre>FileRounds INPUT PARTITIONS ROUNDS TASK-MILLISECONDS OUTPUT-DIRECTORY</pre>
 *
 * Round 2 is in OUTPUT-DIRECTORY + {@code /2}.
 */
public final class FileRounds {
    private FileRounds() {}

    public static void main(String[] args) {
        int partitions = Integer.parseInt(args[1]);
        long taskMillis = Long.parseLong(args[3]);
        try (JavaSparkContext spark = new JavaSparkContext(new SparkConf())) {
            for (int round = 1; round <= Integer.parseInt(args[2]); round++) {
                spark.textFile(args[0], partitions)
                        .mapPartitions(lines -> {
                            Thread.sleep(taskMillis); // this is the work
                            return lines;
                        })
                        .saveAsTextFile(args[4] + "/" + round);
            }
        }
    }
}
