// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import org.heddle.offers.master.ClusterState.Host;
import org.heddle.offers.master.ClusterState.HostPhase;
import org.heddle.offers.master.ClusterState.Role;
import org.heddle.offers.master.cluster.Cluster;
import org.heddle.offers.master.state.Counters;
import org.heddle.offers.master.state.MasterSettings;
import org.heddle.offers.master.state.StateChange;
import org.heddle.offers.master.state.StateExecutor;
import org.heddle.offers.model.Resources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives back what a framework does not want of a container in which its tasks run, where the cluster's scheduler can make
 * containers smaller. Whether it can is found out with the first one: FairScheduler takes such an order and never carries it
 * out. There, containers go back whole, when the last task has ended.
 *
 * <pre>
 * not known ──answered──► yes
 *           ──silence───► no
 * </pre>
 */
final class ContainerShrinker {
    private static final Logger LOG = LoggerFactory.getLogger(ContainerShrinker.class);
    private static final long SILENCE_MILLIS = 5_000;
    /** Refusals that end sooner are part of many frameworks' rhythm: a warm container is worth more than that time. */
    private static final long HOLD_MILLIS = 10_000;

    /** Less than this part of a container is not worth an order. */
    private static final int LEAST_PART = 4;

    private enum Supported {
        NOT_KNOWN,
        YES,
        NO
    }

    private final ClusterState state;
    private final StateExecutor loop;
    private final Cluster cluster;
    private final MasterSettings limits;
    private final Counters tally;
    private Supported supported = Supported.NOT_KNOWN;
    private boolean probing;

    ContainerShrinker(ClusterState state, StateExecutor loop, Cluster cluster, MasterSettings limits, Counters tally) {
        this.state = state;
        this.loop = loop;
        this.cluster = cluster;
        this.limits = limits;
        this.tally = tally;
    }

    /** The free part of a container with tasks is not wanted by its framework. */
    void unwanted(StateChange turn, Host host) {
        if (supported == Supported.NO
                || (supported == Supported.NOT_KNOWN && probing)
                || host.shrinksFrom != null
                || host.phase != HostPhase.RUNNING
                // It may come to run tasks of other containers of its node: more memory than its own has.
                || !host.executors.isEmpty()
                || host.link == null) {
            return;
        }
        host.unwantedSince = host.unwantedSince == 0 ? turn.now() : host.unwantedSince;
        long until = host.role.filters.until(host.agentId, host.free());
        if (!host.role.suppressed
                && turn.now() - host.unwantedSince < HOLD_MILLIS
                && until - turn.now() < HOLD_MILLIS) {
            return;
        }
        Resources used = host.used();
        // YARN counts whole cores, and knows nothing of disks and ports, which stay lent.
        Resources smaller = new Resources(
                Math.min(host.total.milliCpus(), Math.max(1, (used.milliCpus() + 999) / 1000) * 1000),
                Math.min(
                        host.total.memMb(),
                        Math.max(used.memMb(), limits.minimumOffer().memMb())),
                host.total.diskMb(),
                host.total.ports());
        Resources gain = host.total.minus(smaller);
        if (gain.memMb() * LEAST_PART < host.total.memMb() && gain.milliCpus() * LEAST_PART < host.total.milliCpus()) {
            return;
        }
        Resources before = host.total;
        host.shrinksFrom = before;
        host.total = smaller;
        probing = true;
        tally.count("containers_shrinking");
        turn.put(StateCodec.hostKey(host.containerId), StateCodec.host(host));
        Role role = host.role;
        Resources size = Resources.of(smaller.milliCpus(), smaller.memMb() + limits.agentMemMb());
        turn.after(() -> cluster.resize(role.key, host.containerId, size));
        loop.at(turn.now() + SILENCE_MILLIS, later -> {
            if (before.equals(host.shrinksFrom) && state.hosts.get(host.containerId) == host) {
                silent(later, host);
            }
        });
    }

    private void silent(StateChange turn, Host host) {
        probing = false;
        if (supported == Supported.NOT_KNOWN) {
            supported = Supported.NO;
            LOG.info(
                    "this cluster's scheduler does not make containers smaller: they go back when their last task ends");
        }
        keep(turn, host);
    }

    /** It keeps its size. */
    private static void keep(StateChange turn, Host host) {
        Resources before = host.shrinksFrom;
        if (before != null) {
            host.shrinksFrom = null;
            host.total = before;
            turn.put(StateCodec.hostKey(host.containerId), StateCodec.host(host));
        }
    }

    /** The scheduler has carried it out; {@code size} is without what the agent needs. */
    void done(StateChange turn, Host host, Resources size) {
        host.total = new Resources(size.milliCpus(), size.memMb(), host.total.diskMb(), host.total.ports());
        host.shrinksFrom = null;
        supported = Supported.YES;
        probing = false;
        tally.count("containers_shrunk");
        turn.put(StateCodec.hostKey(host.containerId), StateCodec.host(host));
    }

    /** The scheduler refused this one order, which says nothing of others. */
    void refused(StateChange turn, Host host, String message) {
        LOG.info("{} keeps its size: {}", host.containerId, message);
        probing = false;
        keep(turn, host);
    }
}
