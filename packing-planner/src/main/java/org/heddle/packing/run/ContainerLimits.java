// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Role;

/**
 * The properties that limit a MapReduce job to its assignment. Hadoop has separate limits for maps and reduces, so the
 * reduces wait for all maps; then at most n task containers run at once, and one more for the ApplicationMaster. Each
 * primary takes one unit of the disk resource, extras and ApplicationMasters take none, so no node runs more primaries
 * than it has disks.
 */
final class ContainerLimits {
    /** The next phase waits for the submitting programs, which by default poll every five seconds. */
    private static final String CLIENT_POLL_MILLIS = "500";

    private ContainerLimits() {}

    /**
     * @param diskResource name of the YARN resource that counts disks; empty if the cluster has none
     */
    static Map<String, String> of(Assignment assignment, String diskResource) {
        Map<String, String> limits = new LinkedHashMap<>();
        String n = String.valueOf(assignment.vms());
        limits.put(MRJobConfig.JOB_RUNNING_MAP_LIMIT, n);
        limits.put(MRJobConfig.JOB_RUNNING_REDUCE_LIMIT, n);
        limits.put(MRJobConfig.COMPLETED_MAPS_FOR_REDUCE_SLOWSTART, "1.0");
        limits.put(MRJobConfig.JOB_UBERTASK_ENABLE, "false");
        // RMContainerAllocator applies the limits only to jobs with more tasks than n; the others could exceed n by
        // backups.
        limits.put(MRJobConfig.MAP_SPECULATIVE, "false");
        limits.put(MRJobConfig.REDUCE_SPECULATIVE, "false");
        limits.put(Job.COMPLETION_POLL_INTERVAL_KEY, CLIENT_POLL_MILLIS);
        if (!diskResource.isEmpty()) {
            String disks = assignment.role() == Role.EXTRA ? "0" : "1";
            limits.put(MRJobConfig.MAP_RESOURCE_TYPE_PREFIX + diskResource, disks);
            limits.put(MRJobConfig.REDUCE_RESOURCE_TYPE_PREFIX + diskResource, disks);
        }
        return limits;
    }
}
