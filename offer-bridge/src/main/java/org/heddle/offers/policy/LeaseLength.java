// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

/**
 * The length of the leases of one role. The cluster's scheduler knows the shares, the bridge does not; but what the
 * scheduler does with returned containers shows who is above its share:
 *
 * <ul>
 *   <li>At first leases have their full length: who has just begun is not above its share.
 *   <li>When another application begins to wait, leases are short, so that it gets its share soon. At most half of the
 *   containers
 *       are on their way back at a time: the other half is not stopped for nothing.
 *   <li>When the scheduler gives a returned container back to the same role, the role is not above its share, and its
 *   leases
 *       become twice as long. Otherwise each container would pay for the start of an agent every few seconds.
 *   <li>When the scheduler gives it to others, leases are short again.
 * </ul>
 */
public final class LeaseLength {
    /** Chosen by us: at least one task of a second runs in each container, and a newcomer waits for about this time. */
    static final long SHORTEST_MILLIS = 2_000;

    /** A container that is allocated within this time after a return counts as given back: two heartbeats of a node. */
    static final long GIVEN_BACK_MILLIS = 2_000;

    private static final int MOST_DOUBLINGS = 30;

    private int doublings = MOST_DOUBLINGS;
    private int returns;
    /** When a container was returned, in ms, while it is not known who gets it; 0 if it is known. */
    private long returnedAt;

    /**
     * The length of a lease, in ms.
     *
     * @param longest the setting {@code container.lease}, in ms
     */
    public long millis(long longest) {
        return Math.min(longest, SHORTEST_MILLIS << doublings);
    }

    /** The shortest lease, in ms, where the setting {@code container.lease} is {@code longest}. */
    public static long shortest(long longest) {
        return Math.min(longest, SHORTEST_MILLIS);
    }

    /**
     * Whether one more container may drain now.
     *
     * @param containers that the role has
     * @param draining those of them that drain
     */
    public boolean mayDrain(int containers, int draining, long now) {
        int unknown = returnedAt > 0 && now - returnedAt <= GIVEN_BACK_MILLIS ? returns : 0;
        return draining + unknown < Math.max(1, (containers + unknown) / 2);
    }

    /** Another application has begun to wait. */
    public void othersBegin() {
        doublings = 0;
        returnedAt = 0;
    }

    /** The role returned a container because others wait. */
    public void returned(long now) {
        if (returnedAt > 0 && now - returnedAt > GIVEN_BACK_MILLIS) {
            doublings = 0;
            returnedAt = 0;
        }
        if (returnedAt == 0) {
            returnedAt = now;
            returns = 0;
        }
        returns++;
    }

    /** The scheduler allocated a container to the role. Returns whether it gave a returned one back. */
    public boolean allocated(long now) {
        boolean givenBack = returnedAt > 0 && now - returnedAt <= GIVEN_BACK_MILLIS;
        if (givenBack) {
            doublings = Math.min(MOST_DOUBLINGS, doublings + 1);
        }
        returnedAt = 0;
        return givenBack;
    }
}
