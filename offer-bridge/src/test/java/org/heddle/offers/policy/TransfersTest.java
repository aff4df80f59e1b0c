// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.heddle.offers.policy.QueueShares.Member;
import org.heddle.offers.policy.Transfers.Party;
import org.heddle.offers.policy.Transfers.Quota;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shares in sixteenths of a cluster; a container is a sixteenth unless the test says otherwise. */
class TransfersTest {
    private static Party party(String user, double next, boolean waits, int asked, double one, int count, int free) {
        return new Party(
                new Member(0, "root.default", user, count * one / 16, next / 16, waits), asked, one / 16, count, free);
    }

    /** Asks for one more container, and can return all that it has. */
    private static Party waiting(int containers) {
        return party("u", 1, true, 1, 1, containers, containers);
    }

    private static List<Quota> plan(int inFlight, Party... parties) {
        return Transfers.plan(Arrays.asList(parties), Map.of("root.default", inFlight));
    }

    @ParameterizedTest(name = "{0} and {1} containers, {2} on their way")
    @CsvSource({
        // The first one has, the second one has, returned and not allocated, the first one returns, and a turn
        "8, 0, 0, 4, false", // half of them at a time: eight and none become four and four
        "8, 2, 0, 3, false",
        "5, 3, 0, 1, false",
        "4, 4, 0, 0, false",
        "5, 4, 0, 0, true", // nine do not divide: the ninth goes round
        "5, 3, 1, 0, true",
        "4, 3, 1, 0, false", // the turn is on its way
        "1, 0, 0, 0, true", // one container goes round
        "16, 0, 3, 6, true", // three of nineteen are on their way: ten and nine
    })
    void containersGoToTheOneThatHasLess(int first, int second, int inFlight, int returns, boolean turn) {
        assertThat(plan(inFlight, waiting(first), waiting(second)))
                .containsExactly(new Quota(returns, turn), Quota.NONE);
    }

    @Test
    void nothingGoesWhileNobodyWaits() {
        assertThat(plan(0, party("u", 1, false, 0, 1, 16, 16), party("u", 1, false, 0, 1, 0, 0)))
                .containsExactly(Quota.NONE, Quota.NONE);
    }

    @Test
    void fifteenNewcomersGetTheirFirstContainersAtOnce() {
        List<Party> all = new ArrayList<>(List.of(waiting(16)));
        for (int i = 0; i < 15; i++) {
            all.add(waiting(0));
        }
        assertThat(Transfers.plan(all, Map.of()).get(0)).isEqualTo(new Quota(15, false));
    }

    @Test
    void inALargeClusterEachDecisionTakesOneStep() {
        List<Party> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            all.add(waiting(500));
            all.add(waiting(0));
        }
        List<Quota> quotas = Transfers.plan(all, Map.of());
        assertThat(quotas.stream().mapToInt(Quota::returns).sum()).isBetween(1_000, 2_000);
        assertThat(quotas.get(0).returns())
                .as("all with much return as many")
                .isEqualTo(quotas.get(198).returns());
    }

    @Test
    void ofManyWithOneContainerOneReturnsItForOneThatHasNone() {
        List<Party> all = new ArrayList<>(List.of(waiting(0)));
        for (int i = 0; i < 15; i++) {
            all.add(waiting(1));
        }
        assertThat(Transfers.plan(all, Map.of()).stream().filter(Quota::turn)).hasSize(1);
    }

    @Test
    void containersWithExecutorsStay() {
        assertThat(plan(0, party("u", 1, true, 1, 1, 12, 0), party("u", 1, true, 1, 1, 4, 4), waiting(0)))
                .containsExactly(Quota.NONE, new Quota(2, false), Quota.NONE);
    }

    @Test
    void aLargeContainerTakesSeveralSmallOnes() {
        assertThat(plan(0, waiting(16), party("u", 3, true, 2, 3, 0, 0)))
                .containsExactly(new Quota(6, false), Quota.NONE); // 10 and 6: four do not divide into three and three
    }

    @Test
    void differencesOfALittleMemoryDoNotMatter() {
        // Four containers of 1024 MB and four of 960 MB
        assertThat(plan(0, party("u", 1, true, 1, 1, 4, 4), party("u", 0.94, true, 1, 0.94, 4, 4)))
                .containsExactly(Quota.NONE, Quota.NONE);
    }

    @Test
    void usersComeBeforeTheirFrameworks() {
        assertThat(plan(
                        0,
                        party("alice", 1, true, 1, 1, 4, 4),
                        party("alice", 1, true, 1, 1, 4, 4),
                        party("bob", 1, true, 1, 1, 8, 8)))
                .containsExactly(Quota.NONE, Quota.NONE, Quota.NONE);
        // Of a user who has his share, one framework has all of it
        assertThat(plan(
                        0,
                        party("alice", 1, true, 1, 1, 8, 8),
                        party("alice", 1, true, 1, 1, 0, 0),
                        party("bob", 1, true, 1, 1, 8, 8)))
                .containsExactly(new Quota(4, false), Quota.NONE, Quota.NONE);
    }

    @Test
    void inAQueueThatIsNotKnownTheSchedulerDecides() {
        Party party = new Party(new Member(0, "", "u", 1, 0.1, true), 1, 0.1, 10, 10);
        Party none = new Party(new Member(0, "", "u", 0, 0.1, true), 1, 0, 0, 0);
        assertThat(Transfers.plan(List.of(party, none), Map.of())).containsExactly(Quota.NONE, Quota.NONE);
    }
}
