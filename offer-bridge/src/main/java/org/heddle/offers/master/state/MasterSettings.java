// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import org.heddle.offers.model.PortRange;
import org.heddle.offers.model.Resources;

/**
 * The settings of the master.
 *
 * @param offerMillis time after which an unanswered offer is rescinded, in ms; shorter than YARN's own expiry of unused
 *     containers
 * @param minimumOffer CPUs and memory of the smallest offer
 * @param diskMb disk in each offer, in MiB
 * @param ports ports of each host that offers contain
 * @param shortPart part of each node, from 0 to 1, that is offered only for tasks with a {@code max_completion_time}
 * @param shortMillis maximum {@code max_completion_time} of such a task, in ms
 * @param leaseMillis longest time for which a framework keeps a container while other applications wait, in ms; then
 *     the container takes no new tasks for up to 10 s, and returns when its last task ends. A container with an
 *     executor of the framework is not returned
 * @param sharesQueues frameworks in the same queue have equal shares, whatever the order of the queue
 */
public record MasterSettings(
        Times times,
        long offerMillis,
        Resources minimumOffer,
        long diskMb,
        PortRange ports,
        double shortPart,
        long shortMillis,
        long leaseMillis,
        boolean sharesQueues) {
    /** Memory of each container that its agent uses, in MiB: more than one used that had run 4,400 tasks. */
    private static final long AGENT_MEM_MB = 64;

    /**
     * Intervals and waits that only tests make shorter.
     *
     * @param heartbeatMillis interval between heartbeats on event streams, in ms
     * @param agentMillis time after which an agent that was started and has not registered is lost, in ms
     * @param returnMillis time after a restart of the bridge in which agents must register again, in ms; a framework
     *     must subscribe again within this time or its own failover timeout, whichever is longer
     * @param retryMillis time after which a status update without an acknowledgement is sent again, in ms
     */
    public record Times(long heartbeatMillis, long agentMillis, long returnMillis, long retryMillis) {
        /** Heartbeats and repetitions as of Mesos' master. */
        public static final Times USUAL = new Times(15_000, 120_000, 120_000, 10_000);
    }

    /** What of a container of that size can be offered: not what its agent needs. */
    public Resources usable(Resources allocated) {
        return Resources.of(allocated.milliCpus(), Math.max(0, allocated.memMb() - AGENT_MEM_MB))
                .withGpus(allocated.gpus());
    }

    /** A container as the cluster counts it: with what its agent needs, and without disk and ports. */
    public Resources whole(Resources usable) {
        return Resources.of(usable.milliCpus(), usable.memMb() + AGENT_MEM_MB).withGpus(usable.gpus());
    }
}
