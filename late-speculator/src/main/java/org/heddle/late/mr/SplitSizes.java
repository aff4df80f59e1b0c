// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.mr;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitMetaInfo;
import org.apache.hadoop.mapreduce.split.SplitMetaInfoReader;

/** Reads the number of input bytes of each map of a job. */
@FunctionalInterface
public interface SplitSizes {

    /**
     * Bytes per map, by task index.
     *
     * @throws IOException if they cannot be read; maps then count as equal
     */
    long[] of(JobID job, Configuration conf) throws IOException;

    /** Reads the sizes which the client wrote into the job's staging directory. */
    static SplitSizes staged() {
        return (job, conf) -> {
            String dir = conf.get(MRJobConfig.MAPREDUCE_JOB_DIR);
            if (dir == null) {
                return new long[0];
            }
            Path path = new Path(dir);
            FileSystem fs = path.getFileSystem(conf);
            TaskSplitMetaInfo[] splits = SplitMetaInfoReader.readSplitMetaInfo(job, fs, conf, path);
            long[] sizes = new long[splits.length];
            for (int i = 0; i < sizes.length; i++) {
                sizes[i] = splits[i].getInputDataLength();
            }
            return sizes;
        };
    }
}
