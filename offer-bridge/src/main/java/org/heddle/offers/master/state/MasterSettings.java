// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import org.heddle.offers.model.PortRange;
import org.heddle.offers.model.Resources;

/**
 * The settings of the master.
 *
 * @param heartbeatMillis between heartbeats on event streams
 * @param offerMillis an offer that is not answered is rescinded after this; below the cluster's own expiry
 * @param agentMillis an agent that has not come after this is given up
 * @param returnMillis frameworks and agents that do not come back after a restart of the bridge are given up
 * @param retryMillis an update that is not acknowledged is sent again after this
 * @param frameworks most frameworks at once
 * @param minimumOffer smallest offer
 * @param agentMemMb memory of a container that its agent needs itself
 * @param diskMb disk that each offer lends
 * @param ports which tasks can use on each node
 * @param portsPerOffer how many of them with one offer
 * @param shortPart part of each node, 0 to 1, that is offered only for tasks that say how long they run at most
 * @param shortMillis and at most this long
 * @param leaseMillis a container held for longer goes back between tasks while the cluster has no room for others
 */
public record MasterSettings(
        long heartbeatMillis,
        long offerMillis,
        long agentMillis,
        long returnMillis,
        long retryMillis,
        int frameworks,
        Resources minimumOffer,
        long agentMemMb,
        long diskMb,
        PortRange ports,
        int portsPerOffer,
        double shortPart,
        long shortMillis,
        long leaseMillis) {
    /** What of a container of that size can be offered: not what its agent needs. */
    public Resources usable(Resources allocated) {
        return Resources.of(allocated.milliCpus(), Math.max(0, allocated.memMb() - agentMemMb));
    }

    /** A container as the cluster counts it: with what its agent needs, and without disk and ports. */
    public Resources whole(Resources usable) {
        return Resources.of(usable.milliCpus(), usable.memMb() + agentMemMb);
    }
}
