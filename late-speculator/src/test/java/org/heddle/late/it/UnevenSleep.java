// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.it;

import java.io.DataInput;
import java.io.DataOutput;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;

/** A job of maps that sleep record by record, several times as long on one node. */
public final class UnevenSleep {
    private static final String MAPS = "test.sleep.maps";
    private static final String SLOW_HOST = "test.sleep.slow.host";
    private static final int RECORDS = 40;
    private static final long RECORD_MILLIS = 150;
    private static final int SLOWDOWN = 10;

    private UnevenSleep() {}

    public static Job job(Configuration conf, int maps, String slowHost) throws Exception {
        conf.setInt(MAPS, maps);
        conf.set(SLOW_HOST, slowHost);
        Job job = Job.getInstance(conf, "uneven sleep");
        job.setInputFormatClass(Sleeps.class);
        job.setMapperClass(Idle.class);
        job.setNumReduceTasks(0);
        job.setMapOutputKeyClass(IntWritable.class);
        job.setOutputFormatClass(NullOutputFormat.class);
        return job;
    }

    /** With an output directory, without which a restarted ApplicationMaster begins all over again. */
    static Job recoverable(Configuration conf, int maps, String slowHost, String output) throws Exception {
        Job job = job(conf, maps, slowHost);
        job.setOutputFormatClass(TextOutputFormat.class);
        FileOutputFormat.setOutputPath(job, new Path(output));
        return job;
    }

    /** Does nothing; the time goes by in the reader, so that progress is what was read. */
    public static final class Idle extends Mapper<IntWritable, NullWritable, NullWritable, NullWritable> {
        @Override
        protected void map(IntWritable key, NullWritable value, Context context) {}
    }

    /** A split without data. */
    public static final class Nothing extends InputSplit implements Writable {
        @Override
        public long getLength() {
            return 1;
        }

        @Override
        public String[] getLocations() {
            return new String[0];
        }

        @Override
        public void write(DataOutput out) {}

        @Override
        public void readFields(DataInput in) {}
    }

    /** As many splits as asked for; reading a record takes time. */
    public static final class Sleeps extends InputFormat<IntWritable, NullWritable> {
        @Override
        public List<InputSplit> getSplits(JobContext context) {
            List<InputSplit> splits = new ArrayList<>();
            for (int i = 0; i < context.getConfiguration().getInt(MAPS, 1); i++) {
                splits.add(new Nothing());
            }
            return splits;
        }

        @Override
        public RecordReader<IntWritable, NullWritable> createRecordReader(
                InputSplit split, TaskAttemptContext context) {
            boolean slow = context.getConfiguration().get(SLOW_HOST, "").equals(System.getenv("NM_HOST"));
            long millis = slow ? SLOWDOWN * RECORD_MILLIS : RECORD_MILLIS;
            return new RecordReader<>() {
                private int read;

                @Override
                public void initialize(InputSplit ignored, TaskAttemptContext alsoIgnored) {}

                @Override
                public boolean nextKeyValue() throws InterruptedException {
                    if (read == RECORDS) {
                        return false;
                    }
                    // The work of this job is to take time; nothing waits for it to be over.
                    Thread.sleep(millis);
                    read++;
                    return true;
                }

                @Override
                public IntWritable getCurrentKey() {
                    return new IntWritable(read);
                }

                @Override
                public NullWritable getCurrentValue() {
                    return NullWritable.get();
                }

                @Override
                public float getProgress() {
                    return (float) read / RECORDS;
                }

                @Override
                public void close() {}
            };
        }
    }
}
