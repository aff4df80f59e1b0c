// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit.jobs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;

/**
 * Maps that run until the test lets them go, so that no test depends on how far a job has come by some time. They use
 * no processor. What lets them go are files in a directory of this machine, on which all containers of a test cluster
 * run.
 */
public final class HeldMaps {
    private static final String DIRECTORY = "heddle.testkit.held.directory";
    private static final String ALL = "all";
    private static final long LOOK_MILLIS = 100;

    private HeldMaps() {}

    /** The job, not yet submitted. It has no reduces and no output. */
    public static Job job(Configuration conf, String name, int maps, Path directory) throws IOException {
        conf.set(DIRECTORY, Files.createDirectories(directory).toAbsolutePath().toString());
        Job job = SleepyMaps.job(conf, name, maps, 0, "nowhere", 1);
        job.setMapperClass(Held.class);
        job.setSpeculativeExecution(false); // one that is held would be taken for a straggler
        return job;
    }

    /** Lets go those maps of all jobs with that directory which run in one of the containers. */
    public static void letGo(Path directory, Collection<String> containers) throws IOException {
        for (String container : containers) {
            Files.createFile(directory.resolve(container));
        }
    }

    /** Lets go every map, those that begin later too. */
    public static void letAllGo(Path directory) throws IOException {
        Files.createFile(directory.resolve(ALL));
    }

    /** Looks for its file. */
    public static final class Held extends Mapper<IntWritable, NullWritable, NullWritable, NullWritable> {
        @Override
        public void run(Context context) throws InterruptedException {
            Path directory = Path.of(context.getConfiguration().get(DIRECTORY));
            String container = System.getenv(Environment.CONTAINER_ID.name());
            while (!Files.exists(directory.resolve(container)) && !Files.exists(directory.resolve(ALL))) {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
                context.progress(); // or it is taken for hung after ten minutes
            }
        }
    }
}
