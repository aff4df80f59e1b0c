// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark.examples;

import java.io.IOException;
import java.io.Serializable;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;

/**
 * Logistic regression by gradient descent. A line of the input is a label, 1 or -1, and the coordinates of a point. The
 * points are parsed once and kept in memory; each iteration is one pass over them.
 */
public final class LogisticRegression {
    private LogisticRegression() {}

    static final class Point implements Serializable {
        private static final long serialVersionUID = 1;

        final double label;
        final double[] x;

        Point(double[] fields) {
            this.label = fields[0];
            this.x = java.util.Arrays.copyOfRange(fields, 1, fields.length);
        }
    }

    /** @param args input, partitions, iterations, output */
    public static void main(String[] args) throws IOException {
        if (args.length != 4) {
            throw new IllegalArgumentException("Usage: LogisticRegression INPUT PARTITIONS ITERATIONS OUTPUT");
        }
        try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("logistic regression"))) {
            JavaRDD<Point> points = points(spark, args[0], Integer.parseInt(args[1]));
            int dimensions = points.first().x.length;
            double[] weights = descend(points, dimensions, points.count(), Integer.parseInt(args[2]));
            Output.write(spark, args[3], weights);
        }
    }

    /** The points of a file, which are kept in memory once they are read. */
    static JavaRDD<Point> points(JavaSparkContext spark, String input, int partitions) {
        return parsed(spark, input, partitions).persist(StorageLevel.MEMORY_ONLY());
    }

    /** The points of a file of text, which is read and parsed for each use. */
    static JavaRDD<Point> parsed(JavaSparkContext spark, String input, int partitions) {
        return spark.textFile(input, partitions).map(line -> new Point(Vectors.parse(line)));
    }

    /**
     * The weights after some iterations, each of which is one pass over the points.
     *
     * @param dimensions coordinates of a point, and weights
     * @param count of the points
     */
    static double[] descend(JavaRDD<Point> points, int dimensions, long count, int iterations) {
        double[] weights = new double[dimensions];
        for (int i = 1; i <= iterations; i++) {
            Output.iteration(i);
            double[] current = weights;
            double[] gradient = points.map(point -> gradient(point, current)).reduce(Vectors::plus);
            weights = Vectors.plus(current, Vectors.times(gradient, -1.0 / count));
        }
        return weights;
    }

    /** What one point adds to the gradient. */
    static double[] gradient(Point point, double[] weights) {
        double margin = point.label * Vectors.dot(weights, point.x);
        return Vectors.times(point.x, (1 / (1 + Math.exp(-margin)) - 1) * point.label);
    }
}
