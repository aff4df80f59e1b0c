// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.heddle.offers.model.AskPlan;
import org.heddle.offers.model.Bundle;
import org.jspecify.annotations.Nullable;

/** The cluster below, as the master sees it. Methods return at once; what comes of them is told to {@link Events}. */
public interface Cluster {
    /** What an application is started with; {@code known} names one to take over after a restart. */
    record AppSpec(
            AppKey key,
            String name,
            String user,
            String trackingUrl,
            @Nullable KnownApp known) {}

    /**
     * A queue's guarantee.
     *
     * @param part of the whole cluster, 0 to 1
     */
    record QueueShare(String queue, double part) {}

    /**
     * The scheduler wants containers back.
     *
     * @param amount what is wanted in all, of any containers; empty if these very containers are wanted
     * @param graceMillis how long it waits at least before it takes what it was not given
     */
    record Demand(List<String> containerIds, Bundle amount, long graceMillis) {}

    /** Where agents may find the bridge and how they prove themselves. */
    record AgentSpec(String containerId, String secret) {}

    void start(AppSpec spec);

    /** Sets what should be outstanding, and nodes (host names) that should grant nothing. */
    void ask(AppKey key, AskPlan plan, Set<String> refusedHosts);

    void release(AppKey key, String containerId);

    void startAgent(AppKey key, AgentSpec agent);

    /** Asks for another size of a running container; answered by {@link Events#resized} if the scheduler can do it. */
    void resize(AppKey key, String containerId, Bundle size);

    /** What the cluster's scheduler promises to the application's queue. */
    CompletableFuture<QueueShare> share(AppKey key);

    void finish(AppKey key, boolean succeeded, String diagnostics);

    /** What the cluster tells; any thread. */
    interface Events {
        /** The application runs; {@code live} are containers that it already had, when taken over. */
        void started(AppKey key, KnownApp app, Bundle largest, List<Grant> live);

        /** The application's credential was renewed. */
        void renewed(AppKey key, byte[] credential);

        void refused(AppKey key, String diagnostics);

        void granted(AppKey key, List<Grant> grants);

        void headroom(AppKey key, Bundle headroom);

        void completed(AppKey key, String containerId, int exitStatus, String diagnostics);

        void resized(AppKey key, String containerId, Bundle size);

        /** The scheduler refused to resize this container, this time. */
        void notResized(AppKey key, String containerId, String message);

        void wanted(AppKey key, Demand demand);

        void agentNotStarted(AppKey key, String containerId, String message);

        void nodes(List<NodeView> nodes);

        /** The cluster's master has restarted and knows nothing of containers that were granted but not used. */
        void resynced(AppKey key, List<String> live);
    }
}
