// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.yarn;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.PreemptionMessage;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceBlacklistRequest;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.heddle.offers.master.cluster.Cluster;
import org.heddle.offers.model.ContainerAsk;
import org.heddle.offers.model.Resources;
import org.jspecify.annotations.Nullable;

/**
 * The containers, asks, refused hosts and releases of one application, and how much of that the ResourceManager knows.
 * Orders come from any thread and wait for the next heartbeat.
 *
 * <pre>
 * order ─► {@link #changes} ─► heartbeat ─► {@link #sent}
 * </pre>
 */
final class AllocationState {
    private static final Priority PRIORITY = Priority.newInstance(10);

    @GuardedBy("this")
    private final Map<String, Container> containers = new LinkedHashMap<>();

    @GuardedBy("this")
    private ContainerAsk ask = new ContainerAsk(Resources.NONE, 0);

    @GuardedBy("this")
    private boolean askChanged;

    /** The size that the ResourceManager knows of. */
    @GuardedBy("this")
    private @Nullable Resource askedSize;

    @GuardedBy("this")
    private Set<String> refused = Set.of();

    @GuardedBy("this")
    private Set<String> refusedSent = Set.of();

    @GuardedBy("this")
    private final Set<ContainerId> releases = new LinkedHashSet<>();

    @GuardedBy("this")
    private final List<UpdateContainerRequest> resizes = new ArrayList<>();

    /**
     * Released containers whose end the ResourceManager has not reported. A new ResourceManager needs the release
     * again.
     */
    @GuardedBy("this")
    private final Set<ContainerId> leaving = new LinkedHashSet<>();

    /** Sent and not answered. The ResourceManager may have them, and takes no others under the same number. */
    @GuardedBy("this")
    private @Nullable Changes unanswered;

    /**
     * The changes that one heartbeat sends.
     *
     * @param size for which the application asks after them; null for none
     */
    record Changes(
            List<ResourceRequest> asks,
            @Nullable Resource size,
            List<ContainerId> releases,
            List<UpdateContainerRequest> resizes,
            Set<String> refused,
            ResourceBlacklistRequest blacklist) {
        AllocateRequest request(int responseId) {
            return AllocateRequest.newBuilder()
                    .responseId(responseId)
                    .progress(0.5f)
                    .askList(asks)
                    .releaseList(releases)
                    .updateRequests(resizes)
                    .resourceBlacklistRequest(blacklist)
                    .build();
        }
    }

    // ---- orders ----

    synchronized void ask(ContainerAsk wanted, Set<String> refusedHosts) {
        ask = wanted;
        askChanged = true;
        refused = refusedHosts;
    }

    synchronized void release(String containerId) {
        releases.add(ContainerId.fromString(containerId));
    }

    /** Asks for another size of a container; returns false if the application does not hold it. */
    synchronized boolean resize(String containerId, Resources size) {
        Container container = containers.get(containerId);
        if (container == null) {
            return false;
        }
        boolean larger = size.covers(YarnCluster.resources(container.getResource()));
        resizes.add(UpdateContainerRequest.newInstance(
                container.getVersion(),
                container.getId(),
                larger ? ContainerUpdateType.INCREASE_RESOURCE : ContainerUpdateType.DECREASE_RESOURCE,
                YarnCluster.resource(size),
                null));
        return true;
    }

    // ---- heartbeats ----

    /** What the next heartbeat sends: the same again until the ResourceManager has answered. */
    synchronized Changes changes() {
        Changes known = unanswered;
        Changes changes = known == null ? newChanges() : known;
        unanswered = changes;
        return changes;
    }

    @GuardedBy("this")
    private Changes newChanges() {
        Set<String> add = new TreeSet<>(refused);
        add.removeAll(refusedSent);
        Set<String> remove = new TreeSet<>(refusedSent);
        remove.removeAll(refused);
        List<ResourceRequest> rows = asks();
        return new Changes(
                rows,
                rows.isEmpty() ? askedSize : size(),
                List.copyOf(releases),
                List.copyOf(resizes),
                refused,
                ResourceBlacklistRequest.newInstance(List.copyOf(add), List.copyOf(remove)));
    }

    /** The ask as a row for the ResourceManager, after a row that withdraws an ask of another size. */
    @GuardedBy("this")
    private List<ResourceRequest> asks() {
        if (!askChanged) {
            return List.of();
        }
        askChanged = false;
        List<ResourceRequest> rows = new ArrayList<>();
        Resource size = size();
        if (askedSize != null && !askedSize.equals(size)) {
            rows.add(row(askedSize, 0));
        }
        if (size != null) {
            rows.add(row(size, ask.count()));
        }
        return rows;
    }

    @GuardedBy("this")
    private @Nullable Resource size() {
        return ask.size().isEmpty() ? null : YarnCluster.resource(ask.size());
    }

    private static ResourceRequest row(Resource size, int count) {
        return ResourceRequest.newInstance(PRIORITY, ResourceRequest.ANY, size, count, true);
    }

    /** The ResourceManager has received these changes. */
    synchronized void sent(Changes changes) {
        unanswered = null;
        askedSize = changes.size();
        changes.releases().forEach(releases::remove);
        leaving.addAll(changes.releases());
        changes.releases().forEach(one -> containers.remove(one.toString()));
        resizes.removeAll(changes.resizes());
        refusedSent = changes.refused();
    }

    /**
     * The ResourceManager has refused the sizes in these changes, and taken nothing of them. They are not sent again.
     */
    synchronized void refused(Changes changes) {
        unanswered = null;
        resizes.removeAll(changes.resizes());
    }

    /**
     * Adds allocated containers; returns those that were unknown. Others were reported when the application was taken
     * over.
     */
    synchronized List<Container> granted(List<Container> received) {
        List<Container> unknown = new ArrayList<>();
        for (Container container : received) {
            if (containers.put(container.getId().toString(), container) == null) {
                unknown.add(container);
            }
        }
        ask = new ContainerAsk(ask.size(), Math.max(0, ask.count() - unknown.size()));
        return unknown;
    }

    synchronized void completed(ContainerId container) {
        containers.remove(container.toString());
        leaving.remove(container);
    }

    synchronized void resized(Container container) {
        containers.put(container.getId().toString(), container);
    }

    /**
     * Begins with a ResourceManager that knows these containers, these refused hosts and an ask of this size. The next
     * heartbeat sends everything else again.
     */
    synchronized void registered(List<Container> live, Set<String> knownRefused, @Nullable Resource knownSize) {
        live.forEach(this::resized);
        refusedSent = knownRefused;
        unanswered = null;
        askChanged = true;
        askedSize = knownSize;
        releases.addAll(leaving);
    }

    // ---- state ----

    synchronized @Nullable Container container(String containerId) {
        return containers.get(containerId);
    }

    synchronized List<Cluster.Demand> demands(PreemptionMessage message, long graceMillis) {
        return PreemptionContracts.demands(message, containers, graceMillis);
    }

    /** The application asks for containers, or an order waits for the next heartbeat. */
    synchronized boolean isBusy() {
        return ask.count() > 0 || !releases.isEmpty() || !resizes.isEmpty();
    }

    synchronized boolean holdsContainers() {
        return !containers.isEmpty();
    }

    /** The application has no containers, not even released ones, and asks for none. */
    synchronized boolean isResting() {
        return containers.isEmpty() && leaving.isEmpty() && ask.size().isEmpty();
    }
}
