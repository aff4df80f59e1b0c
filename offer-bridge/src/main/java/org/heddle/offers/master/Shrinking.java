// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import org.heddle.offers.master.State.Host;
import org.heddle.offers.master.State.HostPhase;
import org.heddle.offers.master.State.Role;
import org.heddle.offers.model.Bundle;
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
final class Shrinking {
    private static final Logger LOG = LoggerFactory.getLogger(Shrinking.class);
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

    private final State state;
    private final Loop loop;
    private final Cluster cluster;
    private final Limits limits;
    private final Tally tally;
    private Supported supported = Supported.NOT_KNOWN;
    private boolean probing;

    Shrinking(State state, Loop loop, Cluster cluster, Limits limits, Tally tally) {
        this.state = state;
        this.loop = loop;
        this.cluster = cluster;
        this.limits = limits;
        this.tally = tally;
    }

    /** The free part of a container with tasks is not wanted by its framework. */
    void unwanted(Turn turn, Host host) {
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
        Bundle used = host.used();
        // YARN counts whole cores, and knows nothing of disks and ports, which stay lent.
        Bundle smaller = new Bundle(
                Math.min(host.total.milliCpus(), Math.max(1, (used.milliCpus() + 999) / 1000) * 1000),
                Math.min(
                        host.total.memMb(),
                        Math.max(used.memMb(), limits.minimumOffer().memMb())),
                host.total.diskMb(),
                host.total.ports());
        Bundle gain = host.total.minus(smaller);
        if (gain.memMb() * LEAST_PART < host.total.memMb() && gain.milliCpus() * LEAST_PART < host.total.milliCpus()) {
            return;
        }
        Bundle before = host.total;
        host.shrinksFrom = before;
        host.total = smaller;
        probing = true;
        tally.count("containers_shrinking");
        turn.put(Records.hostKey(host.containerId), Records.host(host));
        Role role = host.role;
        Bundle size = Bundle.of(smaller.milliCpus(), smaller.memMb() + limits.agentMemMb());
        turn.after(() -> cluster.resize(role.key, host.containerId, size));
        loop.at(turn.now() + SILENCE_MILLIS, later -> {
            if (before.equals(host.shrinksFrom) && state.hosts.get(host.containerId) == host) {
                silent(later, host);
            }
        });
    }

    private void silent(Turn turn, Host host) {
        probing = false;
        if (supported == Supported.NOT_KNOWN) {
            supported = Supported.NO;
            LOG.info(
                    "this cluster's scheduler does not make containers smaller: they go back when their last task ends");
        }
        keep(turn, host);
    }

    /** It keeps its size. */
    private static void keep(Turn turn, Host host) {
        Bundle before = host.shrinksFrom;
        if (before != null) {
            host.shrinksFrom = null;
            host.total = before;
            turn.put(Records.hostKey(host.containerId), Records.host(host));
        }
    }

    /** The scheduler has carried it out; {@code size} is without what the agent needs. */
    void done(Turn turn, Host host, Bundle size) {
        host.total = new Bundle(size.milliCpus(), size.memMb(), host.total.diskMb(), host.total.ports());
        host.shrinksFrom = null;
        supported = Supported.YES;
        probing = false;
        tally.count("containers_shrunk");
        turn.put(Records.hostKey(host.containerId), Records.host(host));
    }

    /** The scheduler refused this one order, which says nothing of others. */
    void refused(Turn turn, Host host, String message) {
        LOG.info("{} keeps its size: {}", host.containerId, message);
        probing = false;
        keep(turn, host);
    }
}
