// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark.examples;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;
import org.heddle.offers.spark.examples.LogisticRegression.Point;

/**
 * Logistic regression of text, or of the values of a SequenceFile, each of which is a label and the coordinates of a
 * point as doubles of eight bytes, the most significant one first. Each iteration reads the file again, or only the
 * first one does and keeps the points in memory. All points are counted before the first iteration.
 */
public final class RegressionInputs {
    private RegressionInputs() {}

    /** @param args input, partitions, iterations, output, text or binary, file or memory */
    public static void main(String[] args) throws IOException {
        if (args.length != 6 || !args[4].matches("text|binary") || !args[5].matches("file|memory")) {
            throw new IllegalArgumentException(
                    "Usage: RegressionInputs INPUT PARTITIONS ITERATIONS OUTPUT text|binary file|memory");
        }
        try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("logistic regression"))) {
            int partitions = Integer.parseInt(args[1]);
            JavaRDD<Point> points;
            if (args[4].equals("text")) {
                points = LogisticRegression.parsed(spark, args[0], partitions);
            } else {
                points = converted(spark, args[0], partitions);
            }
            int dimensions = points.first().x.length;
            long count = points.count();
            if (args[5].equals("memory")) {
                points.persist(StorageLevel.MEMORY_ONLY());
            }
            double[] weights = LogisticRegression.descend(points, dimensions, count, Integer.parseInt(args[2]));
            Output.write(spark, args[3], weights);
        }
    }

    private static JavaRDD<Point> converted(JavaSparkContext spark, String input, int partitions) {
        return spark.sequenceFile(input, NullWritable.class, BytesWritable.class, partitions)
                .map(record -> new Point(doubles(record._2())));
    }

    private static double[] doubles(BytesWritable value) {
        double[] numbers = new double[value.getLength() / Double.BYTES];
        ByteBuffer.wrap(value.getBytes()).asDoubleBuffer().get(numbers);
        return numbers;
    }
}
