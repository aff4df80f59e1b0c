// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.offers;

import java.util.Comparator;
import java.util.List;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.FrameworkRole;
import org.heddle.offers.master.state.MasterSettings;
import org.heddle.offers.policy.LeaseLength;
import org.heddle.offers.policy.LeasePolicy;
import org.jspecify.annotations.Nullable;

/**
 * Which containers of a role are on their way back because others wait. In a queue that the bridge divides, it knows
 * how many go; the leases of {@link LeaseLength} are for all others that wait.
 */
final class ContainerLeases {
    private final MasterSettings settings;
    private final Contention contention;

    ContainerLeases(MasterSettings settings, Contention contention) {
        this.settings = settings;
        this.contention = contention;
    }

    /** Whether the container is on its way back. */
    LeasePolicy.Decision decide(AgentContainer container, long now) {
        FrameworkRole role = container.role();
        int draining = role.draining(now).size();
        boolean ours = draining < quota(role);
        long longest = settings.leaseMillis();
        long leaseMillis =
                ours ? LeaseLength.shortest(longest) : role.leaseLength().millis(longest);
        boolean others = ours
                || (now - container.lease().since() >= leaseMillis
                        && role.leaseLength().mayDrain(role.containers().size(), draining, now)
                        && contention.othersWait(role, now));
        return LeasePolicy.decide(new LeasePolicy.View(
                container.lease(), now, leaseMillis, !container.executors().isEmpty(), others));
    }

    /**
     * Keeps a container that is on its way back instead of this one, and has got its tasks later. When many tasks end
     * together, it is decided several times how many containers return; meanwhile some get new tasks, which run for as
     * long as those that have ended.
     *
     * @return the container that stays; null if there is none
     */
    @Nullable
    AgentContainer keepLater(AgentContainer container, long now) {
        FrameworkRole role = container.role();
        if (!role.isActive()
                || !container.executors().isEmpty()
                || container.lease().drainUntil() > 0
                || now - container.lease().since() < LeaseLength.shortest(settings.leaseMillis())) {
            return null;
        }
        List<AgentContainer> draining = role.draining(now);
        if (draining.size() != quota(role)) {
            return null;
        }
        AgentContainer later = draining.stream()
                .filter(one -> one.launchedAt() > container.launchedAt() && !one.isUnused())
                .max(Comparator.comparingLong(AgentContainer::launchedAt))
                .orElse(null);
        if (later != null) {
            later.setLease(new LeasePolicy.Lease(later.lease().since(), 0));
        }
        return later;
    }

    private static int quota(FrameworkRole role) {
        return role.quota().returns() + (role.quota().turn() ? 1 : 0);
    }
}
