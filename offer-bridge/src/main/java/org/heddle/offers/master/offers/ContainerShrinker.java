// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.offers;

import org.heddle.offers.master.cluster.Cluster;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.ContainerPhase;
import org.heddle.offers.master.state.Counters;
import org.heddle.offers.master.state.Counters.Counter;
import org.heddle.offers.master.state.FrameworkRole;
import org.heddle.offers.master.state.MasterSettings;
import org.heddle.offers.master.state.StateChange;
import org.heddle.offers.master.state.StateCodec;
import org.heddle.offers.master.state.StateExecutor;
import org.heddle.offers.model.Resources;
import org.heddle.offers.policy.ShrinkPolicy;
import org.heddle.offers.policy.ShrinkPolicy.Drain;
import org.heddle.offers.policy.ShrinkPolicy.Support;
import org.heddle.offers.policy.ShrinkPolicy.Verdict;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the cluster to make containers smaller. Where it is not known whether the cluster's scheduler supports this, the
 * first request shows it. If not, containers return as a whole when their last task has ended. {@link ShrinkPolicy}
 * chooses the containers and their new sizes.
 */
final class ContainerShrinker {
    private static final Logger LOG = LoggerFactory.getLogger(ContainerShrinker.class);

    /**
     * Time without an answer, in ms, after which the scheduler counts as one that does not support it. YARN answers
     * with the heartbeats of the node and of the application, every second by default.
     */
    private static final long ANSWER_MILLIS = 5_000;

    /** The same for a scheduler that is known to change sizes: on a busy machine it may take its time. */
    private static final long KNOWN_ANSWER_MILLIS = 60_000;

    private final ClusterState state;
    private final StateExecutor stateExecutor;
    private final Cluster cluster;
    private final MasterSettings settings;
    private final Counters counters;
    private Support support = Support.UNKNOWN;

    ContainerShrinker(MasterParts parts) {
        this.state = parts.state();
        this.stateExecutor = parts.stateExecutor();
        this.cluster = parts.cluster();
        this.settings = parts.settings();
        this.counters = parts.counters();
    }

    /**
     * Handles free resources of a container, in which tasks of its framework run, that are not offered.
     *
     * @return whether it becomes smaller now
     */
    boolean unwanted(StateChange change, AgentContainer container, Drain drain) {
        long since = container.unwantedSince() == 0 ? change.now() : container.unwantedSince();
        FrameworkRole role = container.role();
        ShrinkPolicy.Decision decision = ShrinkPolicy.decide(new ShrinkPolicy.View(
                support,
                container.shrinksFrom() != null || container.isGrowing(),
                container.phase() == ContainerPhase.RUNNING && container.link() != null,
                !container.executors().isEmpty(),
                drain,
                change.now() - since,
                role.filters().until(container.agentId(), container.free()) - change.now(),
                role.isSuppressed(),
                container.total(),
                container.used(),
                settings.minimumOffer()));
        if (decision.verdict().isPossible()) {
            container.setUnwantedSince(since);
        }
        if (decision.verdict() == Verdict.SHRINK) {
            shrink(change, container, decision.size());
        }
        return decision.verdict() == Verdict.SHRINK;
    }

    private void shrink(StateChange change, AgentContainer container, Resources smaller) {
        Resources before = container.total();
        container.setShrinksFrom(before);
        container.setTotal(smaller);
        boolean known = cluster.resizesContainers();
        if (support == Support.UNKNOWN) {
            support = known ? Support.SUPPORTED : Support.PROBING;
        }
        counters.count(Counter.CONTAINERS_SHRINKING);
        save(change, container);
        FrameworkRole role = container.role();
        change.after(() -> cluster.resize(role.key(), container.id(), settings.whole(smaller)));
        stateExecutor.at(change.now() + (known ? KNOWN_ANSWER_MILLIS : ANSWER_MILLIS), later -> {
            if (before.equals(container.shrinksFrom()) && state.contains(container)) {
                noAnswer(later, container);
            }
        });
    }

    private void noAnswer(StateChange change, AgentContainer container) {
        if (support == Support.PROBING) {
            support = Support.UNSUPPORTED;
            LOG.info(
                    "The cluster's scheduler does not make containers smaller: they return when their last task ends.");
        }
        keepSize(change, container);
    }

    private static void keepSize(StateChange change, AgentContainer container) {
        Resources before = container.shrinksFrom();
        if (before != null) {
            container.setShrinksFrom(null);
            container.setTotal(before);
            save(change, container);
        }
    }

    /** Handles a container that has become smaller; {@code size} is without the resources of its agent. */
    void done(StateChange change, AgentContainer container, Resources size) {
        container.resized(size);
        container.setShrinksFrom(null);
        support = Support.SUPPORTED;
        counters.count(Counter.CONTAINERS_SHRUNK);
        save(change, container);
    }

    /** Handles the refusal of one request, after which other requests are still made. */
    void refused(StateChange change, AgentContainer container, String message) {
        LOG.info("Container {} keeps its size: {}", container.id(), message);
        support = support == Support.PROBING ? Support.UNKNOWN : support;
        keepSize(change, container);
    }

    private static void save(StateChange change, AgentContainer container) {
        change.put(StateCodec.containerKey(container.id()), StateCodec.container(container));
    }
}
