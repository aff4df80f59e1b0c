// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

/**
 * How long a framework keeps a container. A framework with a steady flow of tasks would never return its containers, and the
 * bridge, not the cluster's scheduler, would decide which framework runs. So the bridge leases containers: after the lease,
 * a container takes no new tasks (it drains), and it returns to the cluster when its last task ends.
 *
 * <pre>
 * leased ──lease over, others wait──► draining ──last task ended──► returned
 *   ▲                                     │
 *   └──────── a task runs too long ───────┘
 * </pre>
 *
 * A container does not drain while no other application waits for resources, or while an executor of the framework runs in it:
 * the executor would have to end first. How long a lease is: {@link LeaseLength}.
 */
public final class LeasePolicy {
    /**
     * A container drains for this time at most. Chosen by us: the containers of short tasks drain within it, and a container
     * with one long task has unused resources for this time only.
     */
    static final long LONGEST_DRAIN_MILLIS = 10_000;

    private LeasePolicy() {}

    /**
     * The lease of a container.
     *
     * @param since when it began
     * @param drainUntil the container takes no new tasks until then; 0 if it is not draining
     */
    public record Lease(long since, long drainUntil) {
        public static Lease from(long now) {
            return new Lease(now, 0);
        }
    }

    /**
     * What the decision depends on.
     *
     * @param leaseMillis length of a lease
     * @param hasExecutors executors of the framework run in the container
     * @param othersWait another application waits for resources; {@link WaitingPolicy}
     */
    public record View(Lease lease, long now, long leaseMillis, boolean hasExecutors, boolean othersWait) {}

    /**
     * What follows.
     *
     * @param lease the container's lease from now on
     * @param draining the container takes no new tasks now
     * @param begins draining begins with this decision: look again at {@code lease.drainUntil()}
     */
    public record Decision(Lease lease, boolean draining, boolean begins) {}

    public static Decision decide(View view) {
        Lease lease = view.lease();
        if (view.now() < lease.drainUntil()) {
            return new Decision(lease, true, false);
        }
        if (lease.drainUntil() > 0) {
            // A task ran for too long: the framework gets a new lease.
            lease = Lease.from(view.now());
        }
        if (view.now() - lease.since() < view.leaseMillis() || view.hasExecutors() || !view.othersWait()) {
            return new Decision(lease, false, false);
        }
        long until = view.now() + LONGEST_DRAIN_MILLIS;
        return new Decision(new Lease(lease.since(), until), true, true);
    }
}
