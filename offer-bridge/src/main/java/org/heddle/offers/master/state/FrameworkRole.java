// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.heddle.offers.master.cluster.ApplicationKey;
import org.heddle.offers.master.cluster.ApplicationRecord;
import org.heddle.offers.master.cluster.QueuePlacement;
import org.heddle.offers.model.ContainerAsk;
import org.heddle.offers.model.Resources;
import org.heddle.offers.policy.LeaseLength;
import org.heddle.offers.policy.OfferResponses;
import org.heddle.offers.policy.ReclaimPolicy.Debt;
import org.heddle.offers.policy.RefusedOfferFilters;
import org.heddle.offers.policy.Transfers;
import org.jspecify.annotations.Nullable;

/**
 * A framework in one of its roles, which has a YARN application of its own. Only {@link ClusterState} changes its
 * containers.
 */
public final class FrameworkRole {
    private final Framework framework;
    private final String name;
    private final ApplicationKey key;
    private boolean suppressed;
    private @Nullable ApplicationRecord application;
    private QueuePlacement placement = QueuePlacement.UNKNOWN;
    private boolean running;
    private final RefusedOfferFilters filters = new RefusedOfferFilters();
    private OfferRequirements requirements = OfferRequirements.NONE;
    private final HeldContainers containers = new HeldContainers();
    private Resources largestContainer = Resources.NONE;
    private Resources headroom = Resources.NONE;
    private ContainerAsk asked = new ContainerAsk(Resources.NONE, 0);
    private Set<String> refusedHosts = Set.of();
    private final OfferResponses responses = new OfferResponses();
    private final LeaseLength leaseLength = new LeaseLength();
    private long askingSince;
    private long lastAllocated;
    private long waitedUntil;
    private int mayAsk = Integer.MAX_VALUE;
    private Transfers.Quota quota = Transfers.Quota.NONE;
    private long growAgainAt;
    private int growing;
    private int roomReports;
    private @Nullable Resources requested;
    private long filterTimer;
    private Debt reclaimDebt = Debt.NONE;

    FrameworkRole(Framework framework, String name) {
        this.framework = framework;
        this.name = name;
        this.key = new ApplicationKey(framework.id(), name);
    }

    public Framework framework() {
        return framework;
    }

    public String name() {
        return name;
    }

    public ApplicationKey key() {
        return key;
    }

    public boolean isSuppressed() {
        return suppressed;
    }

    public void setSuppressed(boolean suppressed) {
        this.suppressed = suppressed;
    }

    /** Whether the framework gets offers for this role: it is connected and has not suppressed them. */
    public boolean isActive() {
        return framework.isConnected() && !suppressed;
    }

    /**
     * The YARN application with the credentials that another bridge needs to take it over; null until YARN has
     * accepted it.
     */
    public @Nullable ApplicationRecord application() {
        return application;
    }

    public void setApplication(ApplicationRecord application) {
        this.application = application;
    }

    /** The queue of its application. */
    public QueuePlacement placement() {
        return placement;
    }

    public void setPlacement(QueuePlacement placement) {
        this.placement = placement;
    }

    /** Whether the application has registered with YARN from this bridge. */
    public boolean isRunning() {
        return running;
    }

    public void setRunning(Resources largest) {
        this.running = true;
        this.largestContainer = largest;
    }

    public RefusedOfferFilters filters() {
        return filters;
    }

    public OfferRequirements requirements() {
        return requirements;
    }

    public void setRequirements(OfferRequirements requirements) {
        this.requirements = requirements;
    }

    public Map<String, AgentContainer> containers() {
        return containers.all();
    }

    void put(AgentContainer container) {
        containers.put(container);
    }

    boolean remove(AgentContainer container) {
        return containers.remove(container);
    }

    /** Changes a container, and with it what is known of all containers. */
    void change(AgentContainer container, Runnable change) {
        containers.change(container, change);
    }

    /** What its containers have together of what YARN schedules, without the parts of their agents. */
    public Resources held() {
        return containers.total();
    }

    /** How many of its containers have each size, of what YARN schedules and without the parts of their agents. */
    public Map<Resources, Integer> sizes() {
        return containers.sizes();
    }

    /** Number of containers in which the framework has not launched anything yet. */
    public int unanswered() {
        return containers.unanswered();
    }

    /** Number of containers in which no executor of the framework runs. */
    public int withoutExecutors() {
        return containers.withoutExecutors();
    }

    /** Number of containers of which the cluster has not announced that it will take them. */
    public int staying() {
        return containers.staying();
    }

    /** The containers that take no new tasks now because their leases are over. */
    public List<AgentContainer> draining(long now) {
        return containers.draining(now);
    }

    boolean isConsistent() {
        return containers.isConsistent();
    }

    /** The maximum size of a container in this cluster. */
    public Resources largestContainer() {
        return largestContainer;
    }

    /** The resources that the cluster's scheduler can still allocate to this application. */
    public Resources headroom() {
        return headroom;
    }

    public void setHeadroom(Resources headroom) {
        this.headroom = headroom;
    }

    /** The last request to the cluster for containers. */
    public ContainerAsk asked() {
        return asked;
    }

    /** Host names of the nodes that the last request excluded. */
    public Set<String> refusedHosts() {
        return refusedHosts;
    }

    public void setAsked(ContainerAsk ask, Set<String> refused) {
        this.asked = ask;
        this.refusedHosts = refused;
    }

    /** Time since which containers have been requested without a break, in ms; 0 if none are requested. */
    public long askingSince() {
        return askingSince;
    }

    public void setAskingSince(long millis) {
        this.askingSince = millis;
    }

    /** Time of the last allocation of a container, in ms; 0 if there was none. */
    public long lastAllocated() {
        return lastAllocated;
    }

    public void setLastAllocated(long millis) {
        this.lastAllocated = millis;
        this.roomReports = 0;
    }

    /** Time of the last allocation for which it had waited, in ms; 0 if there was none. */
    public long waitedUntil() {
        return waitedUntil;
    }

    public void setWaitedUntil(long millis) {
        this.waitedUntil = millis;
    }

    /** The most containers that it asks for before another framework of its queue comes first. */
    public int mayAsk() {
        return mayAsk;
    }

    public void setMayAsk(int containers) {
        this.mayAsk = containers;
    }

    /** When it is decided again which of its containers grow, in ms. */
    public long growAgainAt() {
        return growAgainAt;
    }

    /** Containers that grow instead of further ones that it would ask for. */
    public int growing() {
        return growing;
    }

    public void setGrowth(long again, int containers) {
        this.growAgainAt = again;
        this.growing = containers;
    }

    /** Containers that it returns for other frameworks of its queue. */
    public Transfers.Quota quota() {
        return quota;
    }

    public void setQuota(Transfers.Quota quota) {
        this.quota = quota;
    }

    /**
     * Reports of the nodes, one after the other, in which one had room for the role's ask, although it got no
     * container.
     */
    public int roomReports() {
        return roomReports;
    }

    public void setRoomReports(int reports) {
        this.roomReports = reports;
    }

    /** The time for which the role keeps a container while other applications wait. */
    public LeaseLength leaseLength() {
        return leaseLength;
    }

    /** The answers of the framework to its offers. */
    public OfferResponses responses() {
        return responses;
    }

    /** Size of containers that the framework requested with REQUEST; null if it sent none. */
    public @Nullable Resources requested() {
        return requested;
    }

    public void setRequested(@Nullable Resources size) {
        this.requested = size;
    }

    /** Time at which its filters are checked again, in ms; 0 if no timer is set. */
    public long filterTimer() {
        return filterTimer;
    }

    public void setFilterTimer(long millis) {
        this.filterTimer = millis;
    }

    /** Resources that the cluster wants back from any of its containers. */
    public Debt reclaimDebt() {
        return reclaimDebt;
    }

    public void setReclaimDebt(Debt debt) {
        this.reclaimDebt = debt;
    }
}
