// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.jspecify.annotations.Nullable;

/** ApplicationMasters that have containers, or run unmanaged, but have not registered with the ResourceManager yet. */
public final class UnregisteredMasters {
    private static final Set<RMAppAttemptState> BEFORE_REGISTRATION = EnumSet.of(
            RMAppAttemptState.ALLOCATED_SAVING,
            RMAppAttemptState.ALLOCATED,
            RMAppAttemptState.LAUNCHED_UNMANAGED_SAVING,
            RMAppAttemptState.LAUNCHED);

    private final RMContext context;

    public UnregisteredMasters(RMContext context) {
        this.context = context;
    }

    /**
     * A sentence that says that an attempt's ApplicationMaster has not registered, and the usual reason; null if it has
     * registered.
     */
    @Nullable
    public String unregistered(HeddleAttempt attempt) {
        RMApp app = context.getRMApps().get(attempt.getApplicationId());
        RMAppAttempt current = app == null ? null : app.getCurrentAppAttempt();
        if (current == null
                || !current.getAppAttemptId().equals(attempt.getApplicationAttemptId())
                || !BEFORE_REGISTRATION.contains(current.getAppAttemptState())) {
            return null;
        }
        Container master = current.getMasterContainer();
        RMContainer container = master == null ? null : attempt.getRMContainer(master.getId());
        if (container == null) {
            if (master == null || current.getSubmissionContext().getUnmanagedAM()) {
                return "its ApplicationMaster, which its client runs outside the cluster (unmanaged), has not registered with"
                        + " the ResourceManager: see what that client logs";
            }
            return unknownToNodes(master);
        }
        String since = Instant.ofEpochMilli(container.getCreationTime())
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
        if (container.getState() != RMContainerState.RUNNING) {
            return "its ApplicationMaster was placed on " + master.getNodeId() + " at " + since
                    + ", and the node has not reported yet that it runs (container " + master.getId() + ")";
        }
        return "its ApplicationMaster has run on " + master.getNodeId() + " since " + since
                + " and has not registered with the ResourceManager: usually it is still starting, or it cannot reach"
                + " yarn.resourcemanager.scheduler.address as its own configuration has it; see its log: yarn logs"
                + " -applicationId " + attempt.getApplicationId() + " -am -1";
    }

    private String unknownToNodes(Container master) {
        long expiryMillis = context.getYarnConfiguration()
                .getLong(
                        YarnConfiguration.RM_AM_EXPIRY_INTERVAL_MS, YarnConfiguration.DEFAULT_RM_AM_EXPIRY_INTERVAL_MS);
        return "the ResourceManager began anew while its ApplicationMaster was being started on " + master.getNodeId()
                + " (container " + master.getId() + "), and no node has reported that container: if none does, YARN"
                + " starts another attempt after " + YarnConfiguration.RM_AM_EXPIRY_INTERVAL_MS + " = " + expiryMillis;
    }
}
