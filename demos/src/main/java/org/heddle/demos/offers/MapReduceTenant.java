// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.offers;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobStatus;
import org.heddle.testkit.HeddleCluster;
import org.heddle.testkit.jobs.DutyCycle;

/** A MapReduce job with more maps than there is room for, submitted to YARN as always. */
final class MapReduceTenant implements Tenant {
    static final String NAME = "mapreduce";
    private static final String USER = "alice";
    private static final int MAPS = 1_000;
    private static final int MAP_SECONDS = 8;
    private static final int KILOBYTES = 100;

    private final Job job;

    MapReduceTenant(HeddleCluster cluster) throws Exception {
        job = cluster.as(USER, () -> {
            Configuration conf = cluster.configuration();
            conf.set("mapreduce.job.queuename", "root." + NAME);
            conf.set("mapreduce.job.name", NAME);
            Job made = DutyCycle.job(conf, MAPS, MAP_SECONDS, KILOBYTES, new Path("/user/" + USER + "/hashes"));
            made.submit();
            return made;
        });
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String about() {
        return "MapReduce, " + MAPS + " maps of " + MAP_SECONDS + " s that hash";
    }

    @Override
    public String progress() {
        try {
            return Math.round(job.mapProgress() * MAPS) + " maps";
        } catch (IOException e) {
            return "no answer from its master";
        }
    }

    @Override
    public String trouble() {
        try {
            JobStatus.State state = job.getJobState();
            if (state == JobStatus.State.FAILED) {
                return "failed: " + job.getStatus().getFailureInfo();
            }
            return "";
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    @Override
    public void close() {
        try {
            job.killJob();
        } catch (IOException e) {
            // It ends with the cluster.
        }
    }
}
