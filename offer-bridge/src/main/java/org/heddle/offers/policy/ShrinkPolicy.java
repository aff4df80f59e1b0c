// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import org.heddle.offers.model.Resources;

/**
 * Decides whether a container with running tasks becomes smaller, because its framework does not want the free
 * resources. Before the first answer it is not known whether the cluster's scheduler supports this: FairScheduler
 * accepts such a request and never carries it out. So the first request is a probe, and no other one is made until it
 * is answered.
 */
public final class ShrinkPolicy {
    /**
     * Minimum length of a refusal, in ms, after which a container shrinks. A framework that refuses for less time
     * will soon use the resources: many frameworks refuse for 5 s (Mesos' default) between two tasks, and a running
     * container saves them the start of another one.
     */
    static final long HOLD_MILLIS = 10_000;

    /**
     * A request needs two heartbeats, so it is made only if at least one part in this many of the container becomes
     * free.
     */
    static final int LEAST_PART = 4;

    private ShrinkPolicy() {}

    /** What is known of the cluster's scheduler. */
    public enum Support {
        UNKNOWN,
        /** The first request is out, and not answered. */
        PROBING,
        SUPPORTED,
        UNSUPPORTED
    }

    /** Whether a container is on its way back to the cluster, because others wait for it. */
    public enum Drain {
        NONE,
        DRAINING,
        /** Its tasks did not end in time: what they do not use goes back at least. */
        IN_VAIN
    }

    /** Why a container keeps its size, or that it does not. */
    public enum Verdict {
        SHRINK,
        /** The scheduler does not make containers smaller. */
        UNSUPPORTED,
        /** The answer to the first request is not there. */
        PROBING,
        /** The container's last request is not answered. */
        REQUESTED,
        /** Its agent is not connected. */
        NO_AGENT,
        /** An executor may run tasks of other containers of the node: it may need more memory than its own tasks do. */
        HAS_EXECUTORS,
        /** It takes no new tasks, and returns as a whole if they end soon. Who waits for it has use for all of it. */
        DRAINING,
        /** The framework may want the free part soon. */
        WAIT,
        /** Too little would become free. */
        TOO_LITTLE;

        /**
         * Does the container keep its size only because of what the framework wants? Then the time without interest
         * counts.
         */
        public boolean isPossible() {
            return this == SHRINK || this == WAIT || this == TOO_LITTLE;
        }
    }

    /**
     * What the decision depends on.
     *
     * @param requested a request for this container is out
     * @param agentConnected its agent runs and is connected
     * @param drain whether the container is on its way back to the cluster
     * @param unwantedMillis time since the framework last wanted the free part
     * @param refusedMillis time for which the framework still refuses the free part
     * @param suppressed the framework wants no offers at all
     * @param total the container's size
     * @param used what its tasks use
     * @param minimum smallest offer
     */
    public record View(
            Support support,
            boolean requested,
            boolean agentConnected,
            boolean hasExecutors,
            Drain drain,
            long unwantedMillis,
            long refusedMillis,
            boolean suppressed,
            Resources total,
            Resources used,
            Resources minimum) {}

    /** @param size the container's size from now on */
    public record Decision(Verdict verdict, Resources size) {}

    public static Decision decide(View view) {
        Resources smaller = size(view);
        return new Decision(verdict(view, smaller), smaller);
    }

    private static Verdict verdict(View view, Resources smaller) {
        Verdict obstacle = obstacle(view);
        if (obstacle != Verdict.SHRINK) {
            return obstacle;
        }
        if (view.drain() == Drain.DRAINING) {
            return Verdict.DRAINING;
        }
        if (view.drain() == Drain.NONE
                && !view.suppressed()
                && view.unwantedMillis() < HOLD_MILLIS
                && view.refusedMillis() < HOLD_MILLIS) {
            return Verdict.WAIT;
        }
        Resources gain = view.total().minus(smaller);
        boolean little = gain.memMb() * LEAST_PART < view.total().memMb()
                && gain.milliCpus() * LEAST_PART < view.total().milliCpus();
        return little ? Verdict.TOO_LITTLE : Verdict.SHRINK;
    }

    private static Verdict obstacle(View view) {
        if (view.support() == Support.UNSUPPORTED) {
            return Verdict.UNSUPPORTED;
        }
        if (view.support() == Support.PROBING) {
            return Verdict.PROBING;
        }
        if (view.requested()) {
            return Verdict.REQUESTED;
        }
        if (!view.agentConnected()) {
            return Verdict.NO_AGENT;
        }
        return view.hasExecutors() ? Verdict.HAS_EXECUTORS : Verdict.SHRINK;
    }

    /** YARN counts whole cores, and does not schedule disks and ports, which stay with the container. So do GPUs: a
     * node assigns them when a container starts. */
    private static Resources size(View view) {
        Resources total = view.total();
        long cores = Math.max(1, (view.used().milliCpus() + 999) / 1000);
        return new Resources(
                Math.min(total.milliCpus(), cores * 1000),
                Math.min(
                        total.memMb(),
                        Math.max(view.used().memMb(), view.minimum().memMb())),
                total.diskMb(),
                total.ports(),
                total.gpus());
    }
}
