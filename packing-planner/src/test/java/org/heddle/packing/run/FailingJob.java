// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;

/**
 * A MapReduce program: {@code maps millis directory failures}. Its maps sleep; as long as the directory
 * holds fewer files than {@code failures}, a map leaves one there and fails, and the job with it. A map does not end
 * while the directory has a file {@code held}.
 */
public final class FailingJob {
    static final String HELD = "held";

    private static final String MILLIS = "failing.millis";
    private static final String MAPS = "failing.maps";
    private static final String DIRECTORY = "failing.directory";
    private static final String FAILURES = "failing.failures";

    private FailingJob() {}

    public static void main(String[] args) throws Exception {
        Configuration conf = new Configuration();
        conf.setInt(MAPS, Integer.parseInt(args[0]));
        conf.setLong(MILLIS, Long.parseLong(args[1]));
        conf.set(DIRECTORY, args[2]);
        conf.setInt(FAILURES, Integer.parseInt(args[3]));
        conf.setInt("mapreduce.map.maxattempts", 1);
        Job job = Job.getInstance(conf, "failing");
        job.setMapperClass(Sleeper.class);
        job.setInputFormatClass(Numbers.class);
        job.setOutputFormatClass(NullOutputFormat.class);
        job.setNumReduceTasks(0);
        System.exit(job.waitForCompletion(true) ? 0 : 1);
    }

    /** Sleeps or fails. */
    public static final class Sleeper extends Mapper<NullWritable, NullWritable, NullWritable, NullWritable> {
        @Override
        protected void setup(Context context) throws IOException, InterruptedException {
            Configuration conf = context.getConfiguration();
            Path directory = Path.of(conf.get(DIRECTORY, ""));
            try (var files = Files.list(directory)) {
                if (files.count() < conf.getInt(FAILURES, 0)) {
                    Files.createTempFile(directory, "failure", "");
                    throw new IOException("failed as asked");
                }
            }
            TimeUnit.MILLISECONDS.sleep(conf.getLong(MILLIS, 0));
            while (Files.exists(directory.resolve(HELD))) {
                TimeUnit.MILLISECONDS.sleep(100);
                context.progress(); // or it is taken for hung after ten minutes
            }
        }
    }

    /** One empty split per map. */
    public static final class Numbers extends InputFormat<NullWritable, NullWritable> {
        @Override
        public List<InputSplit> getSplits(JobContext context) {
            List<InputSplit> splits = new ArrayList<>();
            for (int i = 0; i < context.getConfiguration().getInt(MAPS, 1); i++) {
                splits.add(new FileSplit(new org.apache.hadoop.fs.Path("/none"), i, 0, new String[0]));
            }
            return splits;
        }

        @Override
        public RecordReader<NullWritable, NullWritable> createRecordReader(
                InputSplit split, TaskAttemptContext context) {
            return new RecordReader<>() {
                @Override
                public void initialize(InputSplit unused, TaskAttemptContext alsoUnused) {}

                @Override
                public boolean nextKeyValue() {
                    return false;
                }

                @Override
                public NullWritable getCurrentKey() {
                    return NullWritable.get();
                }

                @Override
                public NullWritable getCurrentValue() {
                    return NullWritable.get();
                }

                @Override
                public float getProgress() {
                    return 1;
                }

                @Override
                public void close() {}
            };
        }
    }
}
