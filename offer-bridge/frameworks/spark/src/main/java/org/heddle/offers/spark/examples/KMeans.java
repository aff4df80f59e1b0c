// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark.examples;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/** K-means: points around k centers. A line of the input is a point; the first k points are the first centers. */
public final class KMeans {
    private KMeans() {}

    /** @param args input, partitions, iterations, output, k */
    public static void main(String[] args) throws IOException {
        if (args.length != 5) {
            throw new IllegalArgumentException("Usage: KMeans INPUT PARTITIONS ITERATIONS OUTPUT K");
        }
        try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("k-means"))) {
            JavaRDD<double[]> points = spark.textFile(args[0], Integer.parseInt(args[1]))
                    .map(Vectors::parse)
                    .persist(StorageLevel.MEMORY_ONLY());
            List<double[]> centers = new ArrayList<>(points.take(Integer.parseInt(args[4])));
            for (int i = 1; i <= Integer.parseInt(args[2]); i++) {
                Output.iteration(i);
                List<double[]> current = centers;
                // The sum of a center's points, and their number.
                Map<Integer, Tuple2<double[], Long>> sums = points.mapToPair(
                                point -> new Tuple2<>(nearest(point, current), new Tuple2<>(point, 1L)))
                        .reduceByKey((a, b) -> new Tuple2<>(Vectors.plus(a._1(), b._1()), a._2() + b._2()))
                        .collectAsMap();
                sums.forEach((center, sum) -> current.set(center, Vectors.times(sum._1(), 1.0 / sum._2())));
            }
            Output.write(spark, args[3], centers.stream().map(Vectors::format).collect(Collectors.toList()));
        }
    }

    /** The index of the nearest center, the lowest of equals. */
    private static int nearest(double[] point, List<double[]> centers) {
        int nearest = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < centers.size(); i++) {
            double distance = Vectors.squaredDistance(point, centers.get(i));
            if (distance < least) {
                nearest = i;
                least = distance;
            }
        }
        return nearest;
    }
}
