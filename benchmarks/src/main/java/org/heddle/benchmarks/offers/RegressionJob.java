// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.StringTokenizer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

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
        Path output = new Path("/gradient");
        for (int i = 0; i < iterations; i++) {
            long begin = System.nanoTime();
            conf.set(WEIGHTS, format(weights));
            Job job = Job.getInstance(conf, "logistic regression");
            job.setMapperClass(Gradient.class);
            job.setReducerClass(Sum.class);
            job.setNumReduceTasks(1);
            job.setMapOutputKeyClass(IntWritable.class);
            job.setMapOutputValueClass(Text.class);
            job.setOutputKeyClass(NullWritable.class);
            job.setOutputValueClass(Text.class);
            FileInputFormat.addInputPath(job, new Path(input));
            FileOutputFormat.setOutputPath(job, output);
            if (!job.waitForCompletion(false)) {
                throw new IOException("the job of iteration " + (i + 1) + " failed: "
                        + job.getStatus().getFailureInfo());
            }
            FileSystem files = output.getFileSystem(conf);
            Path sums = new Path(output, "part-r-00000");
            if (!files.exists(sums)) {
                throw new IOException("the job " + job.getJobID() + " of iteration " + (i + 1) + " succeeded without "
                        + sums + "; " + output + " has "
                        + (files.exists(output) ? List.of(files.listStatus(output)) : "nothing"));
            }
            try (InputStream in = files.open(sums)) {
                double[] gradient = parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
                for (int d = 0; d < dimensions; d++) {
                    weights[d] -= gradient[d + 1] / gradient[0];
                }
            }
            files.delete(output, true);
            seconds[i] = (System.nanoTime() - begin) / 1e9;
        }
        return seconds;
    }

    private static String format(double[] numbers) {
        StringBuilder text = new StringBuilder();
        for (double number : numbers) {
            text.append(number).append(' ');
        }
        return text.toString();
    }

    private static double[] parse(String text) {
        StringTokenizer words = new StringTokenizer(text);
        double[] numbers = new double[words.countTokens()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = Double.parseDouble(words.nextToken());
        }
        return numbers;
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

    /** Adds the parts. */
    public static final class Sum extends Reducer<IntWritable, Text, NullWritable, Text> {
        @Override
        protected void reduce(
                IntWritable key, Iterable<Text> parts, Reducer<IntWritable, Text, NullWritable, Text>.Context context)
                throws IOException, InterruptedException {
            double[] sum = {};
            for (Text part : parts) {
                double[] numbers = parse(part.toString());
                if (sum.length == 0) {
                    sum = new double[numbers.length];
                }
                for (int i = 0; i < sum.length; i++) {
                    sum[i] += numbers[i];
                }
            }
            context.write(NullWritable.get(), new Text(format(sum)));
        }
    }
}
