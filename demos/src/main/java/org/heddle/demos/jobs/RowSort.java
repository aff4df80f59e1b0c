// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.jobs;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.apache.hadoop.mapreduce.lib.partition.InputSampler;
import org.apache.hadoop.mapreduce.lib.partition.TotalOrderPartitioner;

/** Sorts rows over all reducers, as TeraSort does: keys are sampled, and each reducer gets one range of them. */
public final class RowSort {
    private RowSort() {}

    /** The job, not yet submitted; the input must exist, since it is sampled here. */
    public static Job job(Configuration conf, Path input, Path output, int reducers)
            throws IOException, InterruptedException, ClassNotFoundException {
        Job job = Job.getInstance(conf, "sort rows");
        job.setJarByClass(RowSort.class);
        job.setInputFormatClass(SequenceFileInputFormat.class);
        job.setMapperClass(Mapper.class);
        job.setReducerClass(Reducer.class);
        job.setNumReduceTasks(reducers);
        job.setOutputFormatClass(SequenceFileOutputFormat.class);
        job.setOutputKeyClass(BytesWritable.class);
        job.setOutputValueClass(BytesWritable.class);
        FileInputFormat.addInputPath(job, input);
        FileOutputFormat.setOutputPath(job, output);
        job.setPartitionerClass(TotalOrderPartitioner.class);
        TotalOrderPartitioner.setPartitionFile(
                job.getConfiguration(), new Path(output.getParent(), output.getName() + "-ranges"));
        InputSampler.writePartitionFile(job, new InputSampler.SplitSampler<BytesWritable, BytesWritable>(1_000, 3));
        return job;
    }

    /**
     * What a reading of sorted output found.
     *
     * @param rows number of rows
     * @param checksum sum over rows, as {@link Rows#checksum(long, long)}
     * @param outOfOrder rows smaller than the one before them, across files too
     */
    public record Reading(long rows, long checksum, long outOfOrder) {}

    /** Reads the output in the order of its files. */
    public static Reading read(FileSystem fs, Path output) throws IOException {
        long rows = 0;
        long checksum = 0;
        long outOfOrder = 0;
        BytesWritable before = new BytesWritable();
        BytesWritable key = new BytesWritable();
        BytesWritable value = new BytesWritable();
        FileStatus[] parts = fs.listStatus(output, path -> path.getName().startsWith("part-"));
        for (FileStatus part : parts) {
            try (SequenceFile.Reader reader =
                    new SequenceFile.Reader(fs.getConf(), SequenceFile.Reader.file(part.getPath()))) {
                while (reader.next(key, value)) {
                    rows++;
                    checksum += Rows.checksum(key.getBytes(), key.getLength(), value.getBytes(), value.getLength());
                    if (rows > 1 && before.compareTo(key) > 0) {
                        outOfOrder++;
                    }
                    before.set(key);
                }
            }
        }
        return new Reading(rows, checksum, outOfOrder);
    }
}
