// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Role;

/**
 * The properties that keep a MapReduce job to its part of a plan. Map and reduce limits are separate in
 * Hadoop, so reducers wait for all maps; then never more than n task containers run at once, and one more
 * for the ApplicationMaster. Each primary takes one unit of the disk resource, extras and
 * ApplicationMasters none, so no node runs more primaries than it has disks.
 */
final class ContainerLimits {
    /** The next phase waits for the submitting programs, whose default is to look every five seconds. */
    private static final String CLIENT_POLL_MILLIS = "500";

    private ContainerLimits() {}

    /**
     * @param diskResource name of the YARN resource that counts disks; empty if the cluster has none
     */
    static Map<String, String> of(Assignment share, String diskResource) {
        Map<String, String> caps = new LinkedHashMap<>();
        String n = String.valueOf(share.vms());
        caps.put(MRJobConfig.JOB_RUNNING_MAP_LIMIT, n);
        caps.put(MRJobConfig.JOB_RUNNING_REDUCE_LIMIT, n);
        caps.put(MRJobConfig.COMPLETED_MAPS_FOR_REDUCE_SLOWSTART, "1.0");
        caps.put(MRJobConfig.JOB_UBERTASK_ENABLE, "false");
        // RMContainerAllocator applies the limits only to jobs with more tasks than that; others may speculate beyond.
        caps.put(MRJobConfig.MAP_SPECULATIVE, "false");
        caps.put(MRJobConfig.REDUCE_SPECULATIVE, "false");
        caps.put(Job.COMPLETION_POLL_INTERVAL_KEY, CLIENT_POLL_MILLIS);
        if (!diskResource.isEmpty()) {
            String disks = share.role() == Role.EXTRA ? "0" : "1";
            caps.put(MRJobConfig.MAP_RESOURCE_TYPE_PREFIX + diskResource, disks);
            caps.put(MRJobConfig.REDUCE_RESOURCE_TYPE_PREFIX + diskResource, disks);
        }
        return caps;
    }
}
