// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import java.io.IOException;
import java.net.InetAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/** The smallest job that uses everything: counts words by length. */
@SuppressWarnings("SameNameButDifferent") // Mapper and Reducer both call theirs Context
final class WordLengths {
    static final String FAIL = "test.fail";

    private WordLengths() {}

    static Job job(Configuration conf, Path input, Path output) throws IOException {
        Job job = Job.getInstance(conf, "word lengths");
        job.setJarByClass(WordLengths.class);
        job.setMapperClass(Lengths.class);
        job.setReducerClass(Sums.class);
        job.setMapOutputKeyClass(IntWritable.class);
        job.setMapOutputValueClass(LongWritable.class);
        FileInputFormat.addInputPath(job, input);
        FileOutputFormat.setOutputPath(job, output);
        return job;
    }

    /** Emits (length, 1) per word. */
    static final class Lengths extends Mapper<LongWritable, Text, IntWritable, LongWritable> {
        @Override
        protected void map(LongWritable offset, Text line, Context context) throws IOException, InterruptedException {
            if (context.getConfiguration().getBoolean(FAIL, false)) {
                throw new IOException("failed as asked, on " + InetAddress.getLocalHost());
            }
            for (String word : line.toString().split(" ", -1)) {
                context.write(new IntWritable(word.length()), new LongWritable(1));
            }
        }
    }

    /** Adds up. */
    static final class Sums extends Reducer<IntWritable, LongWritable, IntWritable, LongWritable> {
        @Override
        protected void reduce(IntWritable length, Iterable<LongWritable> counts, Context context)
                throws IOException, InterruptedException {
            long sum = 0;
            for (LongWritable count : counts) {
                sum += count.get();
            }
            context.write(length, new LongWritable(sum));
        }
    }
}
