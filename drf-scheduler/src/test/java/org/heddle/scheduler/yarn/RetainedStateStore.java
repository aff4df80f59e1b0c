// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.impl.pb.ApplicationSubmissionContextPBImpl;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.proto.YarnProtos.ApplicationSubmissionContextProto;
import org.apache.hadoop.yarn.server.resourcemanager.MockMemoryRMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.records.ApplicationStateData;

/** A state store in memory that outlives the ResourceManagers that use it, one after another. */
public final class RetainedStateStore extends MockMemoryRMStateStore {
    /**
     * As bytes: a ResourceManager strips what was submitted from applications that have ended, in the store's own
     * objects.
     */
    private final Map<ApplicationId, byte[]> submitted = new ConcurrentHashMap<>();

    public RetainedStateStore() {
        init(new YarnConfiguration());
    }

    @Override
    public synchronized RMState loadState() throws Exception {
        RMState state = super.loadState();
        for (Map.Entry<ApplicationId, ApplicationStateData> entry :
                state.getApplicationState().entrySet()) {
            entry.getValue()
                    .setApplicationSubmissionContext(new ApplicationSubmissionContextPBImpl(
                            ApplicationSubmissionContextProto.parseFrom(submitted.get(entry.getKey()))));
        }
        return state;
    }

    @Override
    public synchronized void storeApplicationStateInternal(ApplicationId id, ApplicationStateData data)
            throws Exception {
        keep(id, data.getApplicationSubmissionContext());
        super.storeApplicationStateInternal(id, data);
    }

    @Override
    public synchronized void updateApplicationStateInternal(ApplicationId id, ApplicationStateData data)
            throws Exception {
        keep(id, data.getApplicationSubmissionContext());
        super.updateApplicationStateInternal(id, data);
    }

    private void keep(ApplicationId id, ApplicationSubmissionContext context) {
        if (context.getAMContainerSpec() != null) {
            submitted.put(
                    id,
                    ((ApplicationSubmissionContextPBImpl) context).getProto().toByteArray());
        }
    }

    /** A ResourceManager that ends would take its store along. */
    @Override
    public void stop() {}
}
