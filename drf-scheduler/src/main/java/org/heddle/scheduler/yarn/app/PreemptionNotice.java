// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.jspecify.annotations.Nullable;

/**
 * The containers marked for preemption, as YARN's {@code PreemptionMessage} reports them to an ApplicationMaster. Any
 * thread.
 */
final class PreemptionNotice {
    /** The marked containers, and whether the ApplicationMaster may return other containers instead. */
    private final Map<ContainerId, Boolean> terms = new LinkedHashMap<>();

    synchronized void add(ContainerId container, boolean negotiable) {
        terms.put(container, negotiable);
    }

    synchronized void remove(ContainerId container) {
        terms.remove(container);
    }

    /** The containers marked on these terms; null if none, so that the ApplicationMaster gets no empty message. */
    @Nullable
    synchronized Set<ContainerId> of(boolean negotiable) {
        Set<ContainerId> ids = new LinkedHashSet<>();
        terms.forEach((id, mayChoose) -> {
            if (mayChoose == negotiable) {
                ids.add(id);
            }
        });
        return ids.isEmpty() ? null : ids;
    }

    /**
     * The resources to return where the ApplicationMaster may choose: one request for each container size; null if
     * none.
     */
    @Nullable
    synchronized List<ResourceRequest> asRequests(Map<ContainerId, RMContainer> live, Priority priority) {
        Map<Resource, Integer> sizes = new LinkedHashMap<>();
        terms.forEach((id, mayChoose) -> {
            RMContainer container = live.get(id);
            if (mayChoose && container != null) {
                sizes.merge(container.getContainer().getResource(), 1, Integer::sum);
            }
        });
        List<ResourceRequest> requests = new ArrayList<>();
        sizes.forEach(
                (size, count) -> requests.add(ResourceRequest.newInstance(priority, ResourceRequest.ANY, size, count)));
        return requests.isEmpty() ? null : requests;
    }
}
