// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.soak;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.heddle.testkit.ProcessCluster;
import org.heddle.testkit.jobs.SleepyMaps;

/** MapReduce jobs with the LATE speculator in one queue, of which each must end well and read all its records. */
final class MapReduceWorkload implements Workload {
    private static final int MAPS = 12;
    private static final int RECORDS_OF_A_MAP = 40;
    private static final long MAP_MILLIS = 6_000;

    private static final int QUESTIONS = 10;

    private final String queue;

    MapReduceWorkload(String queue) {
        this.queue = queue;
    }

    @Override
    public String name() {
        return "mapreduce-" + queue;
    }

    @Override
    public void once(ProcessCluster cluster, int number) throws Exception {
        Configuration conf = cluster.configuration();
        conf.set("mapreduce.job.queuename", "root." + queue);
        conf.setBoolean("mapreduce.map.speculative", true);
        conf.set("yarn.app.mapreduce.am.job.speculator.class", "org.heddle.late.mr.LateSpeculator");
        conf.setInt("mapreduce.map.maxattempts", 20); // nodes are killed often
        conf.setInt("mapreduce.am.max-attempts", 20);
        conf.setInt("yarn.app.mapreduce.client.max-retries", 30); // the history server is killed, too
        Job job = SleepyMaps.job(conf, name() + "-" + number, MAPS, MAP_MILLIS, "node1", 2);
        job.setJarByClass(SleepyMaps.class);
        if (!endsWell(job)) {
            throw new IOException(job.getJobID() + " failed: " + job.getStatus().getFailureInfo());
        }
        long read = job.getCounters().findCounter(TaskCounter.MAP_INPUT_RECORDS).getValue();
        if (read != (long) MAPS * RECORDS_OF_A_MAP) {
            throw new IOException(job.getJobID() + " read " + read + " records instead of " + MAPS * RECORDS_OF_A_MAP);
        }
    }

    /** A history server that has been started again does not know for some seconds which jobs ended just now. */
    private static boolean endsWell(Job job) throws Exception {
        for (int question = 1; ; question++) {
            try {
                return job.waitForCompletion(false);
            } catch (IOException e) {
                if (question == QUESTIONS || !String.valueOf(e.getMessage()).contains("Job status not available")) {
                    throw e;
                }
                TimeUnit.SECONDS.sleep(2);
            }
        }
    }
}
