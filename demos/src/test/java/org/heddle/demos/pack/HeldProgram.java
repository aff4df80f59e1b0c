// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.pack;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.heddle.testkit.jobs.HeldMaps;

/** A program of a plan, {@code name maps directory}: its maps end when they are let go. */
public final class HeldProgram {
    private HeldProgram() {}

    public static void main(String[] args) throws Exception {
        Job job = HeldMaps.job(new Configuration(), args[0], Integer.parseInt(args[1]), Path.of(args[2]));
        System.exit(job.waitForCompletion(true) ? 0 : 1);
    }
}
