// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit.jobs;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
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
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;

/** Maps that take time record by record, several times as much of it on one node. They use no processor. */
public final class SleepyMaps {
    private static final String MAPS = "heddle.testkit.sleep.maps";
    private static final String MILLIS = "heddle.testkit.sleep.record-ms";
    private static final String SLOW_HOST = "heddle.testkit.sleep.slow-host";
    private static final String SLOWDOWN = "heddle.testkit.sleep.slowdown";
    private static final int RECORDS = 40;

    private SleepyMaps() {}

    /**
     * The job, not yet submitted. It has no reduces and no output.
     *
     * @param millis of a map on a node of usual speed, start-up apart
     * @param slowHost the node that is {@code slowdown} times slower; a name that no node has slows none
     */
    public static Job job(Configuration conf, String name, int maps, long millis, String slowHost, int slowdown)
            throws IOException {
        conf.setInt(MAPS, maps);
        conf.setLong(MILLIS, millis / RECORDS);
        conf.set(SLOW_HOST, slowHost);
        conf.setInt(SLOWDOWN, slowdown);
        Job job = Job.getInstance(conf, name);
        job.setInputFormatClass(Sleeps.class);
        job.setMapperClass(Idle.class);
        job.setNumReduceTasks(0);
        job.setMapOutputKeyClass(IntWritable.class);
        job.setOutputFormatClass(NullOutputFormat.class);
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

    /** As many splits as asked for. */
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
            Configuration conf = context.getConfiguration();
            boolean slow = conf.get(SLOW_HOST, "").equals(System.getenv("NM_HOST"));
            long beat = conf.getLong(MILLIS, 1) * (slow ? conf.getInt(SLOWDOWN, 1) : 1);
            return new Records(TimeUnit.MILLISECONDS.toNanos(beat));
        }
    }

    /** Hands out a record per beat; the work of these jobs is to take time. */
    private static final class Records extends RecordReader<IntWritable, NullWritable> {
        private final long beatNanos;
        private long next = System.nanoTime();
        private int read;

        Records(long beatNanos) {
            this.beatNanos = beatNanos;
        }

        @Override
        public void initialize(InputSplit split, TaskAttemptContext context) {}

        @Override
        public boolean nextKeyValue() throws InterruptedException {
            if (read == RECORDS) {
                return false;
            }
            next += beatNanos;
            TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
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
    }
}
