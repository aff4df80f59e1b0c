// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.drf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.heddle.demos.drf.FairShares.Member;
import org.junit.jupiter.api.Test;

class FairSharesTest {
    @Test
    void theExampleOfTheDrfPaper() {
        // 9 CPU, 18 GB; tasks of <1, 4> and <3, 1>: 3 tasks and 2 tasks.
        Map<String, Double> shares = FairShares.of(Member.queue(
                "root", 1, Member.user("a", 1, 1 / 9.0, 4 / 18.0), Member.user("b", 1, 3 / 9.0, 1 / 18.0)));
        assertShare(shares, "a", 3 * 4 / 18.0);
        assertShare(shares, "b", 2 * 3 / 9.0);
    }

    @Test
    void theExamplesOfTheNexusReport() {
        // 300 CPU, 300 GB; <1, 3> and <1, 1>: 50 and 150 tasks.
        Map<String, Double> shares = FairShares.of(Member.queue(
                "root", 1, Member.user("a", 1, 1 / 300.0, 3 / 300.0), Member.user("b", 1, 1 / 300.0, 1 / 300.0)));
        assertShare(shares, "a", 50 * 3 / 300.0);
        assertShare(shares, "b", 150 / 300.0);
        // <1, 9> and <9, 1>: both 90 %.
        shares = FairShares.of(
                Member.queue("root", 1, Member.user("a", 1, 0.001, 0.009), Member.user("b", 1, 0.009, 0.001)));
        assertShare(shares, "a", 0.9);
        assertShare(shares, "b", 0.9);
    }

    @Test
    void weightsDivideOneResource() {
        Map<String, Double> shares = FairShares.of(Member.queue(
                "root",
                1,
                Member.queue("q", 2, Member.user("a", 2, 0.01), Member.user("b", 1, 0.01)),
                Member.user("c", 1, 0.01)));
        assertShare(shares, "a", 4 / 9.0);
        assertShare(shares, "b", 2 / 9.0);
        assertShare(shares, "c", 3 / 9.0);
    }

    @Test
    void aBlockedChildDoesNotStarveItsSibling() {
        // CPU and GPU: c needs CPU; queue q holds one who needs CPU and one who needs GPU.
        Map<String, Double> shares = FairShares.of(Member.queue(
                "root",
                1,
                Member.user("c", 1, 0.1, 0),
                Member.queue("q", 1, Member.user("cpu", 1, 0.1, 0), Member.user("gpu", 1, 0, 0.1))));
        assertShare(shares, "c", 0.5);
        assertShare(shares, "cpu", 0.5);
        assertShare(shares, "gpu", 1);
    }

    private static void assertShare(Map<String, Double> shares, String user, double expected) {
        assertThat(shares).hasEntrySatisfying(user, share -> assertThat(share).isCloseTo(expected, within(1e-6)));
    }
}
