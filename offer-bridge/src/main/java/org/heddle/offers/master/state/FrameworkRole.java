// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.heddle.offers.master.cluster.ApplicationKey;
import org.heddle.offers.master.cluster.ApplicationRecord;
import org.heddle.offers.model.ContainerAsk;
import org.heddle.offers.model.Resources;
import org.heddle.offers.policy.LeaseLength;
import org.heddle.offers.policy.OfferResponses;
import org.heddle.offers.policy.ReclaimPolicy.Debt;
import org.heddle.offers.policy.RefusedOfferFilters;
import org.jspecify.annotations.Nullable;

/** A framework in one of its roles: it has a YARN application of its own. {@link ClusterState} changes its containers. */
public final class FrameworkRole {
    private final Framework framework;
    private final String name;
    private final ApplicationKey key;
    private boolean suppressed;
    private @Nullable ApplicationRecord application;
    private boolean running;
    private final RefusedOfferFilters filters = new RefusedOfferFilters();
    private OfferRequirements requirements = OfferRequirements.NONE;
    private final Map<String, AgentContainer> containers = new LinkedHashMap<>();
    private Resources largestContainer = Resources.NONE;
    private Resources headroom = Resources.NONE;
    private ContainerAsk asked = new ContainerAsk(Resources.NONE, 0);
    private Set<String> refusedHosts = Set.of();
    private final OfferResponses responses = new OfferResponses();
    private final LeaseLength leaseLength = new LeaseLength();
    private long askingSince;
    private long lastAllocated;
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

    /** Does it get offers: is the framework connected, and are they not suppressed? */
    public boolean isActive() {
        return framework.isConnected() && !suppressed;
    }

    /** What another bridge needs to take its application over; null before YARN has accepted it. */
    public @Nullable ApplicationRecord application() {
        return application;
    }

    public void setApplication(ApplicationRecord application) {
        this.application = application;
    }

    /** The application has registered with this bridge. */
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
        return Collections.unmodifiableMap(containers);
    }

    void put(AgentContainer container) {
        containers.put(container.id(), container);
    }

    boolean remove(AgentContainer container) {
        return containers.remove(container.id(), container);
    }

    /** The largest container which the cluster allocates. */
    public Resources largestContainer() {
        return largestContainer;
    }

    /** What the cluster's scheduler could still allocate. */
    public Resources headroom() {
        return headroom;
    }

    public void setHeadroom(Resources headroom) {
        this.headroom = headroom;
    }

    /** What the cluster was last asked for. */
    public ContainerAsk asked() {
        return asked;
    }

    /** Nodes, by host names, which were excluded from that. */
    public Set<String> refusedHosts() {
        return refusedHosts;
    }

    public void setAsked(ContainerAsk ask, Set<String> refused) {
        this.asked = ask;
        this.refusedHosts = refused;
    }

    /** Since when it asks for containers without a break, in ms; 0 if it asks for nothing. */
    public long askingSince() {
        return askingSince;
    }

    public void setAskingSince(long millis) {
        this.askingSince = millis;
    }

    /** When the cluster last allocated a container to it, in ms; 0 if never. */
    public long lastAllocated() {
        return lastAllocated;
    }

    public void setLastAllocated(long millis) {
        this.lastAllocated = millis;
    }

    /** How long it may keep a container while others wait. */
    public LeaseLength leaseLength() {
        return leaseLength;
    }

    /** How the framework answered its offers. */
    public OfferResponses responses() {
        return responses;
    }

    /** The size that the framework requested; null if it did not. */
    public @Nullable Resources requested() {
        return requested;
    }

    public void setRequested(@Nullable Resources size) {
        this.requested = size;
    }

    /** When its filters are looked at again; 0 if no timer is set. */
    public long filterTimer() {
        return filterTimer;
    }

    public void setFilterTimer(long millis) {
        this.filterTimer = millis;
    }

    /** What the cluster wants back, of any containers. */
    public Debt reclaimDebt() {
        return reclaimDebt;
    }

    public void setReclaimDebt(Debt debt) {
        this.reclaimDebt = debt;
    }
}
