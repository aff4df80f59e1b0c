// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit.jobs;

import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * {@code maps seconds kilobytes output}: each map hashes so many KB in every tenth of a second, and rests for
 * what is left of it, so that many of them look like CPU intensive tasks on cores of their own although
 * the machine has few. Writes one SHA-256 per map.
 */
public final class DutyCycle extends Configured implements Tool {
    private static final String STEPS = "heddle.testkit.duty.steps";
    private static final String KILOBYTES = "heddle.testkit.duty.kilobytes";
    private static final long BEAT_NANOS = 100_000_000;
    private static final int STEPS_PER_SECOND = 10;

    public static void main(String[] args) throws Exception {
        System.exit(ToolRunner.run(new Configuration(), new DutyCycle(), args));
    }

    /**
     * The arguments of {@link #main}.
     *
     * @param seconds of each map, start-up apart
     * @param kilobytes that a map hashes in every tenth of a second
     * @param output a directory, which is deleted first
     */
    public static List<String> arguments(int maps, double seconds, int kilobytes, String output) {
        return List.of(String.valueOf(maps), String.valueOf(seconds), String.valueOf(kilobytes), output);
    }

    @Override
    public int run(String[] args) throws Exception {
        Configuration conf = getConf();
        Path output = new Path(args[3]);
        output.getFileSystem(conf).delete(output, true);
        Job job = job(conf, Integer.parseInt(args[0]), Double.parseDouble(args[1]), Integer.parseInt(args[2]), output);
        return job.waitForCompletion(true) ? 0 : 1;
    }

    /** The job, not yet submitted. */
    public static Job job(Configuration conf, int maps, double seconds, int kilobytes, Path output) throws IOException {
        conf.setInt(Parts.COUNT, maps);
        conf.setInt(STEPS, steps(seconds));
        conf.setInt(KILOBYTES, kilobytes);
        Job job = Job.getInstance(conf, conf.get("mapreduce.job.name", "duty cycle"));
        job.setJarByClass(DutyCycle.class);
        job.setInputFormatClass(Parts.class);
        job.setMapperClass(Hasher.class);
        job.setNumReduceTasks(0);
        job.setOutputFormatClass(TextOutputFormat.class);
        job.setOutputKeyClass(IntWritable.class);
        job.setOutputValueClass(Text.class);
        FileOutputFormat.setOutputPath(job, output);
        return job;
    }

    /** The line that a map of this number writes, computed anew. */
    public static String expected(int number, double seconds, int kilobytes) {
        MessageDigest digest = sha256();
        byte[] kilobyte = kilobyte(number);
        for (int i = 0; i < steps(seconds) * kilobytes; i++) {
            digest.update(kilobyte);
        }
        return number + "\t" + HexFormat.of().formatHex(digest.digest());
    }

    private static int steps(double seconds) {
        return (int) (STEPS_PER_SECOND * seconds);
    }

    private static byte[] kilobyte(int number) {
        byte[] kilobyte = new byte[1024];
        kilobyte[0] = (byte) number;
        return kilobyte;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Hashes to the beat. */
    public static final class Hasher extends Mapper<IntWritable, NullWritable, IntWritable, Text> {
        @Override
        protected void map(IntWritable number, NullWritable none, Context context)
                throws IOException, InterruptedException {
            MessageDigest digest = sha256();
            byte[] kilobyte = kilobyte(number.get());
            Pace pace = new Pace(BEAT_NANOS);
            int steps = context.getConfiguration().getInt(STEPS, 1);
            int kilobytes = context.getConfiguration().getInt(KILOBYTES, 1);
            for (int step = 0; step < steps; step++) {
                for (int i = 0; i < kilobytes; i++) {
                    digest.update(kilobyte);
                }
                pace.await();
                context.progress();
            }
            context.write(number, new Text(HexFormat.of().formatHex(digest.digest())));
        }
    }
}
