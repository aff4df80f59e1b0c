// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.scale;

import java.util.List;
import java.util.Map;
import javax.crypto.spec.SecretKeySpec;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.MemoryRMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.records.AMRMTokenSecretManagerState;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.records.ApplicationAttemptStateData;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.records.ApplicationStateData;
import org.apache.hadoop.yarn.server.security.MasterKeyData;
import org.apache.hadoop.yarn.util.Records;

/**
 * The state that the last ResourceManager left, in memory: applications of which each has an attempt that runs, with
 * its master outside the cluster. The ResourceManager makes the store by its class, so what is in it is set before.
 */
public final class KeptApplications extends MemoryRMStateStore {
    private static final long BEGAN = 1_700_000_000_000L;

    /** Where an application runs, and for whom. */
    record Kept(String user, String queue) {}

    private static volatile List<Kept> applications = List.of();

    /** For the next store. */
    static void keep(List<Kept> kept) {
        applications = List.copyOf(kept);
    }

    static ApplicationAttemptId attempt(int application) {
        return ApplicationAttemptId.newInstance(ApplicationId.newInstance(BEGAN, application + 1), 1);
    }

    @Override
    public synchronized void initInternal(Configuration conf) {
        super.initInternal(conf);
        List<Kept> all = applications;
        MasterKeyData key = new MasterKeyData(1, new SecretKeySpec(new byte[20], "HmacSHA1"));
        storeOrUpdateAMRMTokenSecretManagerState(
                AMRMTokenSecretManagerState.newInstance(key.getMasterKey(), null), false);
        try {
            for (int i = 0; i < all.size(); i++) {
                Kept one = all.get(i);
                ApplicationAttemptId attempt = attempt(i);
                ApplicationSubmissionContext submission = Records.newRecord(ApplicationSubmissionContext.class);
                submission.setApplicationId(attempt.getApplicationId());
                submission.setApplicationName("application " + i);
                submission.setApplicationType("YARN");
                submission.setQueue(one.queue());
                submission.setPriority(Priority.newInstance(0));
                submission.setUnmanagedAM(true);
                submission.setAMContainerSpec(Records.newRecord(ContainerLaunchContext.class));
                storeApplicationStateInternal(
                        attempt.getApplicationId(),
                        ApplicationStateData.newInstance(BEGAN, BEGAN, submission, one.user(), null));
                storeApplicationAttemptStateInternal(
                        attempt,
                        ApplicationAttemptStateData.newInstance(
                                attempt, null, new Credentials(), BEGAN, Map.of(), Map.of(), 0));
            }
        } catch (Exception e) {
            throw new IllegalStateException("the state to recover cannot be made", e);
        }
    }
}
