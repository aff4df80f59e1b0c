// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.cluster;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.heddle.offers.model.ContainerAsk;
import org.heddle.offers.model.Resources;
import org.jspecify.annotations.Nullable;

/** The cluster below the master. The methods return at once; {@link Events} get the results. */
public interface Cluster {
    /** A request to start an application; {@code known} is an application to take over after a restart. */
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
     * @param amount resources from any containers; empty if the scheduler named the containers
     * @param graceMillis minimum time before the scheduler preempts, in ms
     */
    record Demand(List<String> containerIds, Resources amount, long graceMillis) {}

    /** An agent to start, and the secret with which it authenticates. */
    record AgentSpec(String containerId, String secret) {}

    void start(AppSpec spec);

    /** Sets the number of containers to request, and the host names of the nodes to exclude. */
    void ask(ApplicationKey key, ContainerAsk plan, Set<String> refusedHosts);

    void release(ApplicationKey key, String containerId);

    void startAgent(ApplicationKey key, AgentSpec agent);

    /** Requests another size of a running container. If the scheduler can change it, {@link Events#resized} follows. */
    void resize(ApplicationKey key, String containerId, Resources size);

    /** Whether the cluster's scheduler is known to change the size of containers. Thread-safe. */
    boolean resizesContainers();

    /** The guaranteed resources of the application's queue. */
    CompletableFuture<QueueShare> share(ApplicationKey key);

    void finish(ApplicationKey key, boolean succeeded, String diagnostics);

    /** Events of the cluster. The methods are thread-safe. */
    interface Events {
        /** The application runs. If it was taken over, {@code live} are the containers that it already has. */
        void started(ApplicationKey key, ApplicationRecord app, Resources largest, List<AllocatedContainer> live);

        /** YARN accepted the application into that queue. */
        void placed(ApplicationKey key, QueuePlacement placement);

        /** The application's credential was renewed. */
        void renewed(ApplicationKey key, byte[] credential);

        void refused(ApplicationKey key, String diagnostics);

        void granted(ApplicationKey key, List<AllocatedContainer> grants);

        void headroom(ApplicationKey key, Resources headroom);

        void completed(ApplicationKey key, String containerId, int exitStatus, String diagnostics);

        void resized(ApplicationKey key, String containerId, Resources size);

        /** The scheduler refused to resize this container. A later request may succeed. */
        void notResized(ApplicationKey key, String containerId, String message);

        void wanted(ApplicationKey key, Demand demand);

        void agentNotStarted(ApplicationKey key, String containerId, String message);

        void nodes(List<ClusterNode> nodes);

        /** The pending containers of all applications of the cluster; repeated every few seconds. */
        void pending(long containers);

        /** A lasting problem with a subject; an empty sentence says that there is none. Repeated while it lasts. */
        void warning(String subject, String sentence);

        /** The ResourceManager has restarted. It has forgotten containers that were allocated but not started. */
        void resynced(ApplicationKey key, List<String> live);
    }
}
