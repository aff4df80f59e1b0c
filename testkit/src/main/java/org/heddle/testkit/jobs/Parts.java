// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit.jobs;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** Input of jobs that make their own data: each map gets one record, its number. */
public final class Parts extends InputFormat<IntWritable, NullWritable> {
    static final String COUNT = "heddle.testkit.parts";

    @Override
    public List<InputSplit> getSplits(JobContext context) {
        List<InputSplit> splits = new ArrayList<>();
        for (int i = 0; i < context.getConfiguration().getInt(COUNT, 1); i++) {
            splits.add(new Part(i));
        }
        return splits;
    }

    @Override
    public RecordReader<IntWritable, NullWritable> createRecordReader(InputSplit split, TaskAttemptContext context) {
        return new Reader(((Part) split).number);
    }

    /** One number. Hadoop makes an empty one and reads it. */
    public static final class Part extends InputSplit implements Writable {
        private int number;

        public Part() {}

        Part(int number) {
            this.number = number;
        }

        @Override
        public long getLength() {
            return 0;
        }

        @Override
        public String[] getLocations() {
            return new String[0];
        }

        @Override
        public void write(DataOutput out) throws IOException {
            out.writeInt(number);
        }

        @Override
        public void readFields(DataInput in) throws IOException {
            number = in.readInt();
        }
    }

    private static final class Reader extends RecordReader<IntWritable, NullWritable> {
        private final IntWritable number;
        private boolean read;

        Reader(int number) {
            this.number = new IntWritable(number);
        }

        @Override
        public void initialize(InputSplit split, TaskAttemptContext context) {}

        @Override
        public boolean nextKeyValue() {
            boolean first = !read;
            read = true;
            return first;
        }

        @Override
        public IntWritable getCurrentKey() {
            return number;
        }

        @Override
        public NullWritable getCurrentValue() {
            return NullWritable.get();
        }

        @Override
        public float getProgress() {
            return read ? 1 : 0;
        }

        @Override
        public void close() {}
    }
}
