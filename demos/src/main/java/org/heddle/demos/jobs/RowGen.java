// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.jobs;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;

/** Writes random {@link Rows} into sequence files, as TeraGen does; maps only. */
public final class RowGen {
    private static final String SEED = "heddle.demo.rows.seed";
    private static final String COUNT = "heddle.demo.rows.count";
    private static final String MAPS = "heddle.demo.rows.maps";

    private RowGen() {}

    /** The job, not yet submitted: rows 0 to {@code count} - 1, divided among {@code maps} tasks. */
    public static Job job(Configuration conf, Path output, long seed, long count, int maps) throws IOException {
        Job job = Job.getInstance(conf, "generate rows");
        job.setJarByClass(RowGen.class);
        job.getConfiguration().setLong(SEED, seed);
        job.getConfiguration().setLong(COUNT, count);
        job.getConfiguration().setInt(MAPS, maps);
        job.setInputFormatClass(Ranges.class);
        job.setMapperClass(Mapper.class);
        job.setNumReduceTasks(0);
        job.setOutputFormatClass(SequenceFileOutputFormat.class);
        job.setOutputKeyClass(BytesWritable.class);
        job.setOutputValueClass(BytesWritable.class);
        FileOutputFormat.setOutputPath(job, output);
        return job;
    }

    /** Divides row numbers, not files. */
    public static final class Ranges extends InputFormat<BytesWritable, BytesWritable> {
        @Override
        public List<InputSplit> getSplits(JobContext context) {
            long count = context.getConfiguration().getLong(COUNT, 0);
            int maps = context.getConfiguration().getInt(MAPS, 1);
            List<InputSplit> splits = new ArrayList<>();
            for (int i = 0; i < maps; i++) {
                splits.add(new Range(count * i / maps, count * (i + 1) / maps));
            }
            return splits;
        }

        @Override
        public RecordReader<BytesWritable, BytesWritable> createRecordReader(
                InputSplit split, TaskAttemptContext context) {
            return new RowReader();
        }
    }

    /** Rows {@code from} to {@code to} - 1. Hadoop makes an empty one and reads it. */
    public static final class Range extends InputSplit implements Writable {
        private long from;
        private long to;

        public Range() {}

        Range(long from, long to) {
            this.from = from;
            this.to = to;
        }

        @Override
        public long getLength() {
            return (to - from) * (Rows.KEY + Rows.VALUE);
        }

        @Override
        public String[] getLocations() {
            return new String[0];
        }

        @Override
        public void write(DataOutput out) throws IOException {
            out.writeLong(from);
            out.writeLong(to);
        }

        @Override
        public void readFields(DataInput in) throws IOException {
            from = in.readLong();
            to = in.readLong();
        }
    }

    private static final class RowReader extends RecordReader<BytesWritable, BytesWritable> {
        private final byte[] key = new byte[Rows.KEY];
        private final byte[] value = new byte[Rows.VALUE];
        private long seed;
        private long from;
        private long next;
        private long to;

        @Override
        public void initialize(InputSplit split, TaskAttemptContext context) {
            Range range = (Range) split;
            seed = context.getConfiguration().getLong(SEED, 0);
            from = range.from;
            next = range.from;
            to = range.to;
        }

        @Override
        public boolean nextKeyValue() {
            if (next >= to) {
                return false;
            }
            Rows.fill(seed, next++, key, value);
            return true;
        }

        @Override
        public BytesWritable getCurrentKey() {
            return new BytesWritable(key);
        }

        @Override
        public BytesWritable getCurrentValue() {
            return new BytesWritable(value);
        }

        @Override
        public float getProgress() {
            return to == from ? 1 : (float) (next - from) / (to - from);
        }

        @Override
        public void close() {}
    }
}
