// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers;

import static org.heddle.benchmarks.offers.VectorSums.format;
import static org.heddle.benchmarks.offers.VectorSums.parse;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;

/**
 * K-means in MapReduce: a job for each iteration. Maps sum the points of their split for each center; one reduce adds
 * these sums. The first k points are the first centers.
 */
final class KMeansJob {
    private static final String CENTERS = "heddle.kmeans.centers";

    /**
     * @param seconds of each job from its submission to its end
     * @param centers at the end
     */
    record Outcome(double[] seconds, List<double[]> centers) {}

    private KMeansJob() {}

    static Outcome run(Configuration conf, String input, int k, int iterations) throws Exception {
        double[] seconds = new double[iterations];
        List<double[]> centers = first(conf, input, k);
        for (int i = 0; i < iterations; i++) {
            long begin = System.nanoTime();
            conf.set(CENTERS, centers.stream().map(VectorSums::format).collect(Collectors.joining(";")));
            VectorSums.run(conf, "k-means", Nearest.class, input).forEach((center, sum) -> {
                double[] mean = new double[sum.length - 1];
                for (int d = 0; d < mean.length; d++) {
                    mean[d] = sum[d + 1] / sum[0];
                }
                centers.set(center, mean);
            });
            seconds[i] = (System.nanoTime() - begin) / 1e9;
        }
        return new Outcome(seconds, centers);
    }

    private static List<double[]> first(Configuration conf, String input, int k) throws IOException {
        Path file = new Path(input);
        try (BufferedReader lines = TextFiles.reader(file.getFileSystem(conf), file)) {
            return lines.lines().limit(k).map(VectorSums::parse).collect(Collectors.toCollection(ArrayList::new));
        }
    }

    /** For each center the number of points of a split that are nearest to it, and their sum. */
    public static final class Nearest extends Mapper<LongWritable, Text, IntWritable, Text> {
        private final List<double[]> centers = new ArrayList<>();
        private final List<double[]> sums = new ArrayList<>();

        @Override
        protected void setup(Mapper<LongWritable, Text, IntWritable, Text>.Context context) {
            for (String center : context.getConfiguration().get(CENTERS, "").split(";", -1)) {
                centers.add(parse(center));
                sums.add(new double[centers.get(0).length + 1]);
            }
        }

        @Override
        protected void map(
                LongWritable offset, Text line, Mapper<LongWritable, Text, IntWritable, Text>.Context context) {
            double[] point = parse(line.toString());
            int nearest = 0;
            double least = Double.POSITIVE_INFINITY;
            for (int i = 0; i < centers.size(); i++) {
                double distance = squaredDistance(point, centers.get(i));
                if (distance < least) {
                    nearest = i;
                    least = distance;
                }
            }
            double[] sum = sums.get(nearest);
            sum[0]++;
            for (int d = 0; d < point.length; d++) {
                sum[d + 1] += point[d];
            }
        }

        private static double squaredDistance(double[] a, double[] b) {
            double sum = 0;
            for (int d = 0; d < a.length; d++) {
                sum += (a[d] - b[d]) * (a[d] - b[d]);
            }
            return sum;
        }

        @Override
        protected void cleanup(Mapper<LongWritable, Text, IntWritable, Text>.Context context)
                throws IOException, InterruptedException {
            for (int i = 0; i < sums.size(); i++) {
                if (sums.get(i)[0] > 0) {
                    context.write(new IntWritable(i), new Text(format(sums.get(i))));
                }
            }
        }
    }
}
