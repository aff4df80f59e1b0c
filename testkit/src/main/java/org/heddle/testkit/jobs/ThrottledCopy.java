// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit.jobs;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * {@code maps megabytes rate directory}: each map writes so many MB to HDFS and reads them back, at no more
 * than {@code rate} MB/s, as a slow disk of its own would let it, and fails if it does not read what it wrote.
 */
public final class ThrottledCopy extends Configured implements Tool {
    private static final String MEGABYTES = "heddle.testkit.copy.megabytes";
    private static final String RATE = "heddle.testkit.copy.rate";
    private static final String DIRECTORY = "heddle.testkit.copy.directory";
    private static final int CHUNK = 128 * 1024;
    private static final int CHUNKS_PER_MEGABYTE = 8;

    public static void main(String[] args) throws Exception {
        System.exit(ToolRunner.run(new Configuration(), new ThrottledCopy(), args));
    }

    /**
     * The arguments of {@link #main}.
     *
     * @param megabytes that each map writes, and then reads
     * @param rate MB/s of a map, at most
     * @param directory for the files, which are deleted afterwards
     */
    public static List<String> arguments(int maps, int megabytes, int rate, String directory) {
        return List.of(String.valueOf(maps), String.valueOf(megabytes), String.valueOf(rate), directory);
    }

    @Override
    public int run(String[] args) throws Exception {
        Configuration conf = getConf();
        conf.setInt(Parts.COUNT, Integer.parseInt(args[0]));
        conf.setInt(MEGABYTES, Integer.parseInt(args[1]));
        conf.setDouble(RATE, Double.parseDouble(args[2]));
        conf.set(DIRECTORY, args[3]);
        Job job = Job.getInstance(conf, conf.get("mapreduce.job.name", "throttled copy"));
        job.setJarByClass(ThrottledCopy.class);
        job.setInputFormatClass(Parts.class);
        job.setMapperClass(Copier.class);
        job.setNumReduceTasks(0);
        job.setOutputFormatClass(NullOutputFormat.class);
        return job.waitForCompletion(true) ? 0 : 1;
    }

    /** Writes a file, reads it back, deletes it. */
    public static final class Copier extends Mapper<IntWritable, NullWritable, NullWritable, NullWritable> {
        @Override
        protected void map(IntWritable number, NullWritable none, Context context)
                throws IOException, InterruptedException {
            Configuration conf = context.getConfiguration();
            int chunks = CHUNKS_PER_MEGABYTE * conf.getInt(MEGABYTES, 1);
            long beat = (long) (1e9 / (CHUNKS_PER_MEGABYTE * conf.getDouble(RATE, 1)));
            Path file = new Path(
                    conf.get(DIRECTORY, "/tmp"), context.getTaskAttemptID().toString());
            FileSystem fs = file.getFileSystem(conf);
            byte[] chunk = new byte[CHUNK];
            Random random = new Random(number.get());
            CRC32 written = new CRC32();
            CRC32 read = new CRC32();
            Pace pace = new Pace(beat);
            try (FSDataOutputStream out = fs.create(file, (short) 1)) {
                for (int i = 0; i < chunks; i++) {
                    random.nextBytes(chunk);
                    written.update(chunk);
                    out.write(chunk);
                    pace.await();
                    context.progress();
                }
            }
            try (FSDataInputStream in = fs.open(file)) {
                for (int i = 0; i < chunks; i++) {
                    in.readFully(chunk);
                    read.update(chunk);
                    pace.await();
                    context.progress();
                }
            }
            fs.delete(file, false);
            if (read.getValue() != written.getValue()) {
                throw new IOException(file + ": what was read is not what was written");
            }
        }
    }
}
