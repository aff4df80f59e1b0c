// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.StringTokenizer;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;

/** A MapReduce job whose maps write vectors under keys, and whose one reduce adds the vectors of each key. */
final class VectorSums {
    private VectorSums() {}

    /** Runs the job, and returns the sum of each key. */
    static Map<Integer, double[]> run(
            Configuration conf,
            String name,
            Class<? extends Mapper<LongWritable, Text, IntWritable, Text>> mapper,
            String input)
            throws IOException, InterruptedException, ClassNotFoundException {
        Path output = new Path(input + "-sums");
        Job job = Job.getInstance(conf, name);
        job.setMapperClass(mapper);
        job.setReducerClass(Sum.class);
        job.setNumReduceTasks(1);
        job.setOutputKeyClass(IntWritable.class);
        job.setOutputValueClass(Text.class);
        FinishedJob.run(job, new Path(input), output);
        FileSystem files = output.getFileSystem(conf);
        Path sums = new Path(output, "part-r-00000");
        if (!files.exists(sums)) {
            throw new IOException("the job " + job.getJobID() + " of " + name + " succeeded without " + sums + "; "
                    + output + " has " + (files.exists(output) ? List.of(files.listStatus(output)) : "nothing"));
        }
        Map<Integer, double[]> found = new TreeMap<>();
        try (BufferedReader lines = TextFiles.reader(files, sums)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split("\t", 2);
                found.put(Integer.valueOf(words[0]), parse(words[1]));
            }
        }
        files.delete(output, true);
        return found;
    }

    static String format(double[] numbers) {
        StringBuilder text = new StringBuilder();
        for (double number : numbers) {
            text.append(number).append(' ');
        }
        return text.toString();
    }

    static double[] parse(String text) {
        StringTokenizer words = new StringTokenizer(text);
        double[] numbers = new double[words.countTokens()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = Double.parseDouble(words.nextToken());
        }
        return numbers;
    }

    /** Adds the vectors of a key. */
    public static final class Sum extends Reducer<IntWritable, Text, IntWritable, Text> {
        @Override
        protected void reduce(
                IntWritable key, Iterable<Text> parts, Reducer<IntWritable, Text, IntWritable, Text>.Context context)
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
            context.write(key, new Text(format(sum)));
        }
    }
}
