// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.offers;

import java.util.Set;
import org.heddle.offers.master.cluster.Cluster;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.ContainerPhase;
import org.heddle.offers.master.state.Counters;
import org.heddle.offers.master.state.Counters.Counter;
import org.heddle.offers.master.state.FrameworkRole;
import org.heddle.offers.master.state.MasterSettings;
import org.heddle.offers.master.state.StateChange;
import org.heddle.offers.master.state.StateCodec;
import org.heddle.offers.model.ContainerAsk;
import org.heddle.offers.model.Resources;
import org.heddle.offers.policy.AskPolicy;
import org.heddle.offers.policy.GrowthPolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the cluster to make containers larger instead of allocating further ones. {@link GrowthPolicy} chooses them. */
final class ContainerGrower {
    private static final Logger LOG = LoggerFactory.getLogger(ContainerGrower.class);

    /**
     * A request without an answer after this time, in ms, does not replace an ask any more; it may still be answered.
     */
    private static final long ANSWER_MILLIS = 5_000;

    /** After this time, in ms, it is given up: a new ResourceManager does not know the requests to the former one. */
    private static final long LOST_MILLIS = 60_000;

    /** Asks change with every task, and each decision looks at all containers of the role. */
    private static final long EVERY_MILLIS = 100;

    private final ClusterState state;
    private final Cluster cluster;
    private final MasterSettings settings;
    private final Counters counters;

    ContainerGrower(MasterParts parts) {
        this.state = parts.state();
        this.cluster = parts.cluster();
        this.settings = parts.settings();
        this.counters = parts.counters();
    }

    /**
     * Makes containers of the role larger for a part of what it asks for.
     *
     * @param excluded hosts on which the framework wants nothing
     * @return what remains to ask for
     */
    ContainerAsk grow(StateChange change, FrameworkRole role, ContainerAsk plan, Set<String> excluded) {
        if (!cluster.resizesContainers()) {
            return plan;
        }
        if (change.now() >= role.growAgainAt()) {
            role.setGrowth(change.now() + EVERY_MILLIS, choose(change, role, plan, excluded));
        }
        return new ContainerAsk(plan.size(), Math.max(0, plan.count() - role.growing()));
    }

    /** Returns how many containers of the role grow now. */
    private int choose(StateChange change, FrameworkRole role, ContainerAsk plan, Set<String> excluded) {
        role.containers().values().stream()
                .filter(container -> container.isGrowing() && change.now() - container.growingSince() >= LOST_MILLIS)
                .forEach(container -> container.setGrowing(0, Resources.NONE));
        int growing = (int) role.containers().values().stream()
                .filter(container -> container.isGrowing() && change.now() - container.growingSince() < ANSWER_MILLIS)
                .count();
        Resources limit = AskPolicy.quarter(settings.usable(state.largestNode()), settings.whole(Resources.NONE))
                .cappedBy(settings.usable(role.largestContainer()));
        for (AgentContainer container : role.containers().values()) {
            if (growing >= plan.count()) {
                break;
            }
            GrowthPolicy.View view = view(change, container, plan.size(), limit);
            if (!excluded.contains(container.hostname()) && GrowthPolicy.decide(view) == GrowthPolicy.Verdict.GROW) {
                growing++;
                Resources larger = GrowthPolicy.grown(view);
                LOG.debug("{} grows {} to {}", role.key(), container.id(), larger);
                container.setGrowing(change.now(), larger.minus(container.total()));
                counters.count(Counter.CONTAINERS_GROWING);
                change.after(() -> cluster.resize(role.key(), container.id(), settings.whole(larger)));
            }
        }
        return growing;
    }

    private GrowthPolicy.View view(StateChange change, AgentContainer container, Resources step, Resources limit) {
        return new GrowthPolicy.View(
                cluster.resizesContainers(),
                container.phase() == ContainerPhase.RUNNING && container.link() != null,
                container.isGrowing() || container.shrinksFrom() != null,
                container.isLeaving() || container.lease().drainUntil() > change.now(),
                container.total(),
                step,
                limit,
                () -> free(container.node()));
    }

    /** What is free by the last report of the node, and by what this bridge has got and asked for since then. */
    private Resources free(String name) {
        ClusterNode node = state.nodes().get(name);
        if (node == null || !node.usable()) {
            return Resources.NONE;
        }
        Resources asked = Resources.NONE;
        Resources ours = Resources.NONE;
        for (AgentContainer container : state.containersOn(name)) {
            asked = asked.plus(container.growth());
            ours = ours.plus(settings.whole(container.total()));
        }
        return node.total().minus(node.used().max(ours).plus(asked));
    }

    /** Handles a container that has become larger; {@code size} is without the resources of its agent. */
    void done(StateChange change, AgentContainer container, Resources size) {
        container.setGrowing(0, Resources.NONE);
        FrameworkRole role = container.role();
        role.setGrowth(role.growAgainAt(), Math.max(0, role.growing() - 1));
        container.resized(size);
        counters.count(Counter.CONTAINERS_GROWN);
        change.put(StateCodec.containerKey(container.id()), StateCodec.container(container));
    }

    /** Handles the refusal of a request: for a while the role asks for further containers instead. */
    void refused(StateChange change, AgentContainer container, String message) {
        LOG.info("Container {} does not grow: {}", container.id(), message);
        container.setGrowing(0, Resources.NONE);
        container.role().setGrowth(change.now() + LOST_MILLIS, 0);
    }
}
