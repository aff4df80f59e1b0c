// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark.examples;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.heddle.offers.spark.examples.LogisticRegression.Point;

/**
 * Logistic regression as an interactive session: each line of standard input is a number of iterations to run now.
 * While the session waits for a line, dynamic allocation may give its executors back. The end of the input ends it.
 */
public final class RegressionShell {
    private RegressionShell() {}

    /** @param args input, partitions, and the least time of a task in ms, with which few cores look like many */
    public static void main(String[] args) throws IOException {
        if (args.length != 3) {
            throw new IllegalArgumentException("Usage: RegressionShell INPUT PARTITIONS MILLISECONDS");
        }
        long leastMillis = Long.parseLong(args[2]);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (JavaSparkContext spark = new JavaSparkContext(new SparkConf())) {
            JavaRDD<Point> points = LogisticRegression.points(spark, args[0], Integer.parseInt(args[1]));
            System.out.println("Ready");
            double[] weights = new double[0];
            long count = 0;
            int iteration = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (count == 0) {
                    weights = new double[points.first().x.length];
                    count = points.count();
                }
                for (int left = Integer.parseInt(line.strip()); left > 0; left--) {
                    double[] current = weights;
                    double[] gradient = points.mapPartitions(part -> sum(part, current, leastMillis))
                            .reduce(Vectors::plus);
                    weights = Vectors.plus(current, Vectors.times(gradient, -1.0 / count));
                    iteration++;
                    System.out.println("Iteration " + iteration + " done: " + Vectors.format(weights));
                }
            }
        }
    }

    /** The gradient of a partition. */
    private static Iterator<double[]> sum(Iterator<Point> part, double[] weights, long leastMillis)
            throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(leastMillis);
        double[] sum = new double[weights.length];
        while (part.hasNext()) {
            sum = Vectors.plus(sum, LogisticRegression.gradient(part.next(), weights));
        }
        TimeUnit.NANOSECONDS.sleep(end - System.nanoTime());
        return List.of(sum).iterator();
    }
}
