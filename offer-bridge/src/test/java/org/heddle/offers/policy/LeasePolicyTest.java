// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.heddle.offers.policy.LeasePolicy.Decision;
import org.heddle.offers.policy.LeasePolicy.Lease;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Times in ms. A lease of a minute began at 1,000, if a line does not say something else. */
class LeasePolicyTest {
    private static final long LEASE = 60_000;

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                //                                              | now    | executors | room  | draining | begins | until
                "the lease has just begun                       | 1000   | false     | false | false    | false  | 0",
                "one millisecond before its end                 | 60999  | false     | false | false    | false  | 0",
                "the lease is over and the cluster is full      | 61000  | false     | false | true     | true   | 71000",
                "long over                                      | 500000 | false     | false | true     | true   | 510000",
                "the cluster has room for others                | 61000  | false     | true  | false    | false  | 0",
                "an executor runs in the container              | 61000  | true      | false | false    | false  | 0",
            })
    void aContainerDrainsAfterItsLease(
            String when, long now, boolean executors, boolean room, boolean draining, boolean begins, long until) {
        Decision decision = LeasePolicy.decide(new LeasePolicy.View(Lease.from(1_000), now, LEASE, executors, room));
        assertThat(decision).isEqualTo(new Decision(new Lease(1_000, until), draining, begins));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                //                                                | now   | executors | room  | draining | since | until
                "it drains until then                             | 65000 | false     | false | true     | 1000  | 71000",
                "one millisecond before the end of draining       | 70999 | false     | false | true     | 1000  | 71000",
                "room in the cluster does not end the draining    | 65000 | false     | true  | true     | 1000  | 71000",
                "an executor does not end it                      | 65000 | true      | false | true     | 1000  | 71000",
                "a task ran for too long, so a new lease begins   | 71000 | false     | false | false    | 71000 | 0",
                "much too long                                    | 99000 | false     | false | false    | 99000 | 0",
            })
    void drainingEndsWithANewLease(
            String when, long now, boolean executors, boolean room, boolean draining, long since, long until) {
        Lease lease = new Lease(1_000, 71_000);
        assertThat(LeasePolicy.decide(new LeasePolicy.View(lease, now, LEASE, executors, room)))
                .isEqualTo(new Decision(new Lease(since, until), draining, false));
    }

    @Test
    void aShortLeaseDrainsNoLongerThanItself() {
        assertThat(LeasePolicy.decide(new LeasePolicy.View(Lease.from(1_000), 4_000, 3_000, false, false)))
                .isEqualTo(new Decision(new Lease(1_000, 7_000), true, true));
    }

    @Test
    void aSecondLeaseDrainsAgain() {
        Lease second = new Lease(71_000, 0);
        assertThat(LeasePolicy.decide(new LeasePolicy.View(second, 131_000, LEASE, false, false)))
                .isEqualTo(new Decision(new Lease(71_000, 141_000), true, true));
    }
}
