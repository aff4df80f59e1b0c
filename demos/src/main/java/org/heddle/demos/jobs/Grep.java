// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.jobs;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.map.RegexMapper;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.reduce.LongSumReducer;

/** Counts what a regular expression finds, by the text found. */
public final class Grep {
    private Grep() {}

    /** The job, not yet submitted. */
    public static Job job(Configuration conf, Path input, Path output, String regex) throws IOException {
        Job job = Job.getInstance(conf, "grep");
        job.setJarByClass(Grep.class);
        job.getConfiguration().set(RegexMapper.PATTERN, regex);
        job.setMapperClass(RegexMapper.class);
        job.setCombinerClass(LongSumReducer.class);
        job.setReducerClass(LongSumReducer.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(LongWritable.class);
        FileInputFormat.addInputPath(job, input);
        FileOutputFormat.setOutputPath(job, output);
        return job;
    }
}
