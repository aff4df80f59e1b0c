// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.heddle.offers.policy.QueueShares.Member;
import org.junit.jupiter.api.Test;

/** Shares in eighths of a cluster; a container is an eighth unless the test says otherwise. */
class QueueSharesTest {
    private int nextId;

    private Member member(String queue, String user, double used, double next, boolean waits) {
        return new Member(nextId++, queue, user, used / 8, next / 8, waits);
    }

    private Member one(double used, boolean waits) {
        return member("root.default", "bridge", used, 1, waits);
    }

    private static List<Boolean> heldBack(Member... members) {
        List<Member> all = Arrays.asList(members);
        QueueShares shares = new QueueShares(all);
        return all.stream().map(member -> shares.mayAsk(member) == 0).toList();
    }

    private static List<Integer> mayAsk(Member... members) {
        List<Member> all = Arrays.asList(members);
        QueueShares shares = new QueueShares(all);
        return all.stream().map(shares::mayAsk).toList();
    }

    @Test
    void newcomersAskForOneContainerEach() {
        assertThat(mayAsk(one(8, false), one(0, true), one(0, true))).containsExactly(0, 1, 1);
    }

    @Test
    void theOneBehindAsksUntilItIsAhead() {
        assertThat(mayAsk(one(6, true), one(2, true))).containsExactly(0, 5);
    }

    @Test
    void oneThatWaitsAloneAsksForAllItWants() {
        assertThat(mayAsk(one(0, true), one(8, false))).containsExactly(Integer.MAX_VALUE, 0);
    }

    @Test
    void nobodyHoldsBackWhileNobodyWaits() {
        assertThat(heldBack(one(8, false), one(0, false))).containsExactly(false, false);
    }

    @Test
    void theOneWithMoreHoldsBackForTheOneThatWaits() {
        assertThat(heldBack(one(8, true), one(0, true))).containsExactly(true, false);
    }

    @Test
    void nobodyHoldsBackWithEqualShares() {
        assertThat(heldBack(one(4, true), one(4, true))).containsExactly(false, false);
        assertThat(heldBack(one(5, true), one(4, true))).containsExactly(true, false);
    }

    @Test
    void aLargeContainerDoesNotStopSmallOnesThatItWouldOvertake() {
        assertThat(heldBack(member("q", "u", 3, 3, true), member("q", "u", 5, 1, true)))
                .containsExactly(false, false);
        assertThat(heldBack(member("q", "u", 2, 3, true), member("q", "u", 6, 1, true)))
                .containsExactly(false, true);
    }

    @Test
    void queuesAreApart() {
        assertThat(heldBack(member("root.a", "u", 8, 1, true), member("root.b", "u", 0, 1, true)))
                .containsExactly(false, false);
    }

    @Test
    void unknownQueuesDecideAlone() {
        assertThat(heldBack(member("", "u", 8, 1, true), member("", "u", 0, 1, true)))
                .containsExactly(false, false);
    }

    @Test
    void usersHaveEqualSharesBeforeFrameworks() {
        // Alice has two frameworks, and together as much as bob: the smaller one does not stop bob.
        assertThat(heldBack(
                        member("q", "alice", 3, 1, false),
                        member("q", "alice", 1, 1, true),
                        member("q", "bob", 4, 1, true)))
                .containsExactly(true, false, false);
    }

    /**
     * First come, first served, as in a leaf queue of CapacityScheduler: the first one that asks gets what is returned.
     */
    @Test
    void aQueueWithFirstComeFirstServedGivesEqualShares() {
        int[] used = {64, 0, 0, 0};
        for (int step = 0; step < 200; step++) {
            int returns = step % used.length;
            if (used[returns] == 0) {
                continue;
            }
            used[returns]--;
            List<Member> members = new ArrayList<>();
            for (int amount : used) {
                members.add(new Member(members.size(), "root.default", "bridge", amount / 64.0, 1 / 64.0, true));
            }
            QueueShares shares = new QueueShares(members);
            int first = IntStream.range(0, used.length)
                    .filter(i -> shares.mayAsk(members.get(i)) > 0)
                    .findFirst()
                    .orElseThrow();
            used[first]++;
        }
        assertThat(used).containsExactly(16, 16, 16, 16);
    }
}
