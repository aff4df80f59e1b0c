// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import java.util.List;
import java.util.Set;
import org.heddle.offers.model.AskPlan;
import org.heddle.offers.model.Bundle;
import org.jspecify.annotations.Nullable;

/** The cluster below, as the master sees it. Methods return at once; what comes of them is told to {@link Events}. */
public interface Cluster {
    /** What an application is started with; {@code applicationId} names one to take over after a restart. */
    record AppSpec(
            AppKey key,
            String name,
            String user,
            String trackingUrl,
            @Nullable String applicationId) {}

    /** Where agents may find the bridge and how they prove themselves. */
    record AgentSpec(String containerId, String secret) {}

    void start(AppSpec spec);

    /** Sets what should be outstanding, and nodes (host names) that should grant nothing. */
    void ask(AppKey key, AskPlan plan, Set<String> refusedHosts);

    void release(AppKey key, String containerId);

    void startAgent(AppKey key, AgentSpec agent);

    /** Asks for another size of a running container; answered by {@link Events#resized} if the scheduler can do it. */
    void resize(AppKey key, String containerId, Bundle size);

    void finish(AppKey key, boolean succeeded, String diagnostics);

    /** What the cluster tells; any thread. */
    interface Events {
        /** The application runs; {@code live} are containers that it already had, when taken over. */
        void started(AppKey key, String applicationId, Bundle largest, List<Grant> live);

        void refused(AppKey key, String diagnostics);

        void granted(AppKey key, List<Grant> grants);

        void headroom(AppKey key, Bundle headroom);

        void completed(AppKey key, String containerId, int exitStatus, String diagnostics);

        void resized(AppKey key, String containerId, Bundle size);

        /** The scheduler wants containers back within that time. */
        void wanted(AppKey key, List<String> containerIds, boolean negotiable, long graceMillis);

        void agentNotStarted(AppKey key, String containerId, String message);

        void nodes(List<NodeView> nodes);

        /** The cluster's master has restarted and knows nothing of containers that were granted but not used. */
        void resynced(AppKey key, List<String> live);
    }
}
