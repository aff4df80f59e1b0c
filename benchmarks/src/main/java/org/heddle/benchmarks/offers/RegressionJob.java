// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers;

import static org.heddle.benchmarks.offers.VectorSums.format;
import static org.heddle.benchmarks.offers.VectorSums.parse;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;

/**
 * Logistic regression in MapReduce: a job for each iteration. Maps read the points as text and sum their part of the
 * gradient; one reduce adds the parts.
 */
final class RegressionJob {
    private static final String WEIGHTS = "heddle.regression.weights";

    private RegressionJob() {}

    /** Runs all iterations; returns the seconds of each job from its submission to its end. */
    static double[] run(Configuration conf, String input, int dimensions, int iterations) throws Exception {
        double[] seconds = new double[iterations];
        double[] weights = new double[dimensions];
        for (int i = 0; i < iterations; i++) {
            long begin = System.nanoTime();
            conf.set(WEIGHTS, format(weights));
            for (double[] gradient : VectorSums.run(conf, "logistic regression", Gradient.class, input)
                    .values()) {
                for (int d = 0; d < dimensions; d++) {
                    weights[d] -= gradient[d + 1] / gradient[0];
                }
            }
            seconds[i] = (System.nanoTime() - begin) / 1e9;
        }
        return seconds;
    }

    /** The number of points of a split, and their part of the gradient. */
    public static final class Gradient extends Mapper<LongWritable, Text, IntWritable, Text> {
        private double[] weights = {};
        private double[] sum = {};

        @Override
        protected void setup(Mapper<LongWritable, Text, IntWritable, Text>.Context context) {
            weights = parse(context.getConfiguration().get(WEIGHTS, ""));
            sum = new double[weights.length + 1];
        }

        @Override
        protected void map(
                LongWritable offset, Text line, Mapper<LongWritable, Text, IntWritable, Text>.Context context) {
            double[] point = parse(line.toString());
            double margin = 0;
            for (int d = 0; d < weights.length; d++) {
                margin += weights[d] * point[d + 1];
            }
            double factor = point[0] * (1 / (1 + Math.exp(-point[0] * margin)) - 1);
            sum[0]++;
            for (int d = 0; d < weights.length; d++) {
                sum[d + 1] += factor * point[d + 1];
            }
        }

        @Override
        protected void cleanup(Mapper<LongWritable, Text, IntWritable, Text>.Context context)
                throws IOException, InterruptedException {
            context.write(new IntWritable(0), new Text(format(sum)));
        }
    }
}
