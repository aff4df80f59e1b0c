// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

/**
 * How long a framework keeps a container. A framework with a steady flow of tasks would never return its containers,
 * and the bridge, not the cluster's scheduler, would decide which framework runs. So the bridge leases containers:
 * after the lease, a container takes no new tasks (it drains), and it returns to the cluster when its last task ends.
 *
 * <pre>
 * leased ──lease over, others wait──► draining ──last task ended──► returned
 *   ▲                                     │
 *   └──────── a task runs too long ───────┘
 * </pre>
 *
 * A container does not drain while no other application waits for resources, or while an executor of the framework runs
 * in it: the executor would have to end first. How long a lease is: {@link LeaseLength}.
 */
public final class LeasePolicy {
    /**
     * Maximum time for which a container drains, in ms. Chosen by us: containers of short tasks drain within it, and
     * a container with one long task has unused resources no longer than this.
     */
    static final long LONGEST_DRAIN_MILLIS = 10_000;

    private LeasePolicy() {}

    /**
     * The lease of a container.
     *
     * @param since time at which it began, in ms
     * @param drainUntil time until which the container takes no new tasks, in ms; 0 if it is not draining
     */
    public record Lease(long since, long drainUntil) {
        public static Lease from(long now) {
            return new Lease(now, 0);
        }
    }

    /**
     * The input of the decision.
     *
     * @param leaseMillis length of a lease, in ms
     * @param hasExecutors whether executors of the framework run in the container
     * @param othersWait whether another application waits for resources; see {@link WaitingPolicy}
     */
    public record View(Lease lease, long now, long leaseMillis, boolean hasExecutors, boolean othersWait) {}

    /**
     * The decision.
     *
     * @param lease the container's new lease
     * @param draining whether the container takes no new tasks now
     * @param begins whether draining begins with this decision, so that {@code lease.drainUntil()} needs a timer
     */
    public record Decision(Lease lease, boolean draining, boolean begins) {}

    public static Decision decide(View view) {
        Lease lease = view.lease();
        if (view.now() < lease.drainUntil()) {
            return new Decision(lease, true, false);
        }
        if (lease.drainUntil() > 0) {
            // A task ran for too long, so the framework gets a new lease.
            lease = Lease.from(view.now());
        }
        if (view.now() - lease.since() < view.leaseMillis() || view.hasExecutors() || !view.othersWait()) {
            return new Decision(lease, false, false);
        }
        long until = view.now() + LONGEST_DRAIN_MILLIS;
        return new Decision(new Lease(lease.since(), until), true, true);
    }
}
