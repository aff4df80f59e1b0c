// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/** Runs MapReduce jobs to their end. */
final class FinishedJob {
    private FinishedJob() {}

    /** @throws IOException also if the job fails */
    static void run(Job job, Path input, Path output) throws IOException, InterruptedException, ClassNotFoundException {
        FileInputFormat.addInputPath(job, input);
        FileOutputFormat.setOutputPath(job, output);
        if (!job.waitForCompletion(false)) {
            throw new IOException("a job of " + job.getJobName() + " failed: "
                    + job.getStatus().getFailureInfo());
        }
    }
}
