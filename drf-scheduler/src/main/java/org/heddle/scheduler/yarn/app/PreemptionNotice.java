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
 * What an ApplicationMaster is told about containers that are going to be taken, in the terms of YARN's {@code
 * PreemptionMessage}. Under the attempt's lock.
 */
final class PreemptionNotice {
    /** What is going to be taken, and whether the master may give as much elsewhere instead. */
    private final Map<ContainerId, Boolean> terms = new LinkedHashMap<>();

    void add(ContainerId container, boolean negotiable) {
        terms.put(container, negotiable);
    }

    void remove(ContainerId container) {
        terms.remove(container);
    }

    /** The containers going to be taken on these terms; null if none, so that the master is not told of nothing. */
    @Nullable
    Set<ContainerId> of(boolean negotiable) {
        Set<ContainerId> ids = new LinkedHashSet<>();
        terms.forEach((id, mayChoose) -> {
            if (mayChoose == negotiable) {
                ids.add(id);
            }
        });
        return ids.isEmpty() ? null : ids;
    }

    /** How much is asked back where the master may choose: one request for each size of container; null if nothing. */
    @Nullable
    List<ResourceRequest> asRequests(Map<ContainerId, RMContainer> live, Priority priority) {
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
