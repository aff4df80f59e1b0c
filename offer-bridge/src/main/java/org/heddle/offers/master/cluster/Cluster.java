// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.cluster;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.heddle.offers.model.ContainerAsk;
import org.heddle.offers.model.Resources;
import org.jspecify.annotations.Nullable;

/** The cluster below, as the master sees it. Methods return at once; {@link Events} get the results. */
public interface Cluster {
    /** How to start an application; {@code known} is one to take over after a restart. */
    record AppSpec(
            ApplicationKey key,
            String name,
            String user,
            String trackingUrl,
            @Nullable ApplicationRecord known) {}

    /**
     * A queue's guarantee.
     *
     * @param part of the whole cluster, 0 to 1
     */
    record QueueShare(String queue, double part) {}

    /**
     * The scheduler wants containers back.
     *
     * @param amount the resources that it wants, of any containers; empty if it wants exactly these containers
     * @param graceMillis the scheduler waits at least for this time before it preempts
     */
    record Demand(List<String> containerIds, Resources amount, long graceMillis) {}

    /** An agent to start, and the secret with which it proves itself. */
    record AgentSpec(String containerId, String secret) {}

    void start(AppSpec spec);

    /** Sets how many containers to ask for, and the nodes (host names) which are excluded. */
    void ask(ApplicationKey key, ContainerAsk plan, Set<String> refusedHosts);

    void release(ApplicationKey key, String containerId);

    void startAgent(ApplicationKey key, AgentSpec agent);

    /** Asks for another size of a running container; answered by {@link Events#resized} if the scheduler can do it. */
    void resize(ApplicationKey key, String containerId, Resources size);

    /** What the cluster's scheduler guarantees to the application's queue. */
    CompletableFuture<QueueShare> share(ApplicationKey key);

    void finish(ApplicationKey key, boolean succeeded, String diagnostics);

    /** Events of the cluster; any thread. */
    interface Events {
        /** The application runs; {@code live} are the containers that it already has if it is taken over. */
        void started(ApplicationKey key, ApplicationRecord app, Resources largest, List<AllocatedContainer> live);

        /** The application's credential was renewed. */
        void renewed(ApplicationKey key, byte[] credential);

        void refused(ApplicationKey key, String diagnostics);

        void granted(ApplicationKey key, List<AllocatedContainer> grants);

        void headroom(ApplicationKey key, Resources headroom);

        void completed(ApplicationKey key, String containerId, int exitStatus, String diagnostics);

        void resized(ApplicationKey key, String containerId, Resources size);

        /** The scheduler refused to resize this container, this time. */
        void notResized(ApplicationKey key, String containerId, String message);

        void wanted(ApplicationKey key, Demand demand);

        void agentNotStarted(ApplicationKey key, String containerId, String message);

        void nodes(List<ClusterNode> nodes);

        /** Containers that all applications of the cluster ask for and do not have; repeated every few seconds. */
        void pending(long containers);

        /** The ResourceManager has restarted, and does not know containers which were allocated but not used. */
        void resynced(ApplicationKey key, List<String> live);
    }
}
