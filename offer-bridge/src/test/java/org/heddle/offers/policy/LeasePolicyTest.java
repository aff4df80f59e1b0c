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
                //                                              | now    | executors | others | drains   | begin | end
                "the lease has just begun                       | 1000   | false     | true   | false    | false  | 0",
                "one millisecond before its end                 | 60999  | false     | true   | false    | false  | 0",
                "the lease is over and others wait              | 61000  | false     | true   | true     | true   | 71000",
                "long over                                      | 500000 | false     | true   | true     | true   | 510000",
                "nobody else waits                              | 61000  | false     | false  | false    | false  | 0",
                "an executor runs in the container              | 61000  | true      | true   | false    | false  | 0",
            })
    void aContainerDrainsAfterItsLease(
            String when, long now, boolean executors, boolean others, boolean draining, boolean begins, long until) {
        Decision decision = LeasePolicy.decide(new LeasePolicy.View(Lease.from(1_000), now, LEASE, executors, others));
        assertThat(decision).isEqualTo(new Decision(new Lease(1_000, until), draining, begins));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                //                                                | now   | executors | others | drains   | since | end
                "it drains until then                             | 65000 | false     | true   | true     | 1000  | 71000",
                "one millisecond before the end of draining       | 70999 | false     | true   | true     | 1000  | 71000",
                "it drains on when nobody waits any more          | 65000 | false     | false  | true     | 1000  | 71000",
                "an executor does not end it                      | 65000 | true      | true   | true     | 1000  | 71000",
                "a task ran for too long, so a new lease begins   | 71000 | false     | true   | false    | 71000 | 0",
                "much too long                                    | 99000 | false     | true   | false    | 99000 | 0",
            })
    void drainingEndsWithANewLease(
            String when, long now, boolean executors, boolean others, boolean draining, long since, long until) {
        Lease lease = new Lease(1_000, 71_000);
        assertThat(LeasePolicy.decide(new LeasePolicy.View(lease, now, LEASE, executors, others)))
                .isEqualTo(new Decision(new Lease(since, until), draining, false));
    }

    @Test
    void aShortLeaseDrainsAsLongAsAnyOther() {
        assertThat(LeasePolicy.decide(new LeasePolicy.View(Lease.from(1_000), 4_000, 3_000, false, true)))
                .isEqualTo(new Decision(new Lease(1_000, 14_000), true, true));
    }

    @Test
    void aSecondLeaseDrainsAgain() {
        Lease second = new Lease(71_000, 0);
        assertThat(LeasePolicy.decide(new LeasePolicy.View(second, 131_000, LEASE, false, true)))
                .isEqualTo(new Decision(new Lease(71_000, 141_000), true, true));
    }
}
