// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.heddle.offers.model.Resources;
import org.heddle.offers.policy.ReclaimPolicy.AmountPlan;
import org.heddle.offers.policy.ReclaimPolicy.Candidate;
import org.heddle.offers.policy.ReclaimPolicy.ContainerPlan;
import org.heddle.offers.policy.ReclaimPolicy.Debt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Containers are written as their names with their marks: {@code a-unused}, {@code b-offered}, {@code c-leaving}. */
class ReclaimPolicyTest {
    private static final Resources SIZE = Resources.of(1000, 1024);

    private static List<Candidate> held(String containers) {
        List<Candidate> held = new ArrayList<>();
        for (String one : containers.split(" ", -1)) {
            if (!one.isEmpty()) {
                held.add(new Candidate(
                        one.substring(0, 1),
                        one.contains("-unused"),
                        one.contains("-offered"),
                        one.contains("-leaving"),
                        SIZE));
            }
        }
        return held;
    }

    private static List<String> names(String names) {
        return names.isEmpty() ? List.of() : List.of(names.split(" ", -1));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "a used container is announced            | a b                    | a     | 1 | a   | ''",
                "an unused one returns at once            | a-unused b             | a     | 1 | ''  | a",
                "other unused ones return as well         | a b-unused c           | a     | 1 | a   | b",
                "demanded ones return first               | b-unused a-unused      | a     | 1 | ''  | a b",
                "what is announced is announced once      | a-leaving b            | a     | 0 | ''  | ''",
                "an announced one that is unused returns  | a-leaving-unused b     | a     | 0 | ''  | a",
                "a container named twice counts once      | a b                    | a a   | 1 | a   | ''",
                "unknown names are left out               | a b                    | a z   | 1 | a   | ''",
                "announced in the order of the demand     | a b c                  | c a   | 2 | c a | ''",
            })
    void demandedContainers(String sentence, String held, String demanded, int fresh, String announce, String release) {
        assertThat(ReclaimPolicy.containers(held(held), names(demanded)))
                .isEqualTo(new ContainerPlan(true, fresh, names(announce), names(release)));
    }

    @Test
    void aDemandForContainersThatAreGoneChangesNothing() {
        assertThat(ReclaimPolicy.containers(held("a-unused b"), names("x y")))
                .isEqualTo(new ContainerPlan(false, 0, List.of(), List.of()));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "used ones are announced, unused ones return | a b-unused  | true  | 2 | a   | b",
                "what is announced stays announced           | a-leaving b | true  | 1 | b   | ''",
                "leaving and unused: it returns by itself    | a-leaving-unused | true | 0 | '' | ''",
                "the framework has nothing there             | ''          | false | 0 | ''  | ''",
            })
    void aNodeLeaves(String sentence, String held, boolean known, int fresh, String announce, String release) {
        assertThat(ReclaimPolicy.node(held(held)))
                .isEqualTo(new ContainerPlan(known, fresh, names(announce), names(release)));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                //                                           | held                       | MiB  | rescind | release |
                // left
                "a framework which uses all is asked for all | a b                        | 1024 | ''      | ''      | 1024",
                "offers end, as it should give               | a-offered b-offered        | 1024 | a b     | ''      | 1024",
                "unused containers return and count          | a b-unused                 | 2048 | ''      | b       | 1024",
                "an unused one is enough                     | a b-unused                 | 1024 | ''      | b       | 0",
                "offers after that stay                      | a-unused b-offered         | 1024 | ''      | a       | 0",
                "offers before that end                      | b-offered a-unused         | 1024 | b       | a       | 0",
                "its own offer ends with it                  | a-unused-offered           | 1024 | a       | a       | 0",
                "all unused return, even if less is wanted   | a-unused b-unused          | 1024 | ''      | a b     | 0",
            })
    void aDemandedAmount(String sentence, String held, long wantedMb, String rescind, String release, long leftMb) {
        Resources wanted = Resources.of(wantedMb * 1000 / 1024, wantedMb);
        assertThat(ReclaimPolicy.amount(held(held), Debt.NONE, wanted, names("a b"), 5_000))
                .isEqualTo(new AmountPlan(
                        new Debt(wanted, 5_000, Set.of("a", "b")),
                        names(rescind),
                        names(release),
                        Resources.of(leftMb * 1000 / 1024, leftMb)));
    }

    @Test
    void aSecondDemandKeepsTheFirstOnesTimeAndTheLargerAmount() {
        Debt before = new Debt(Resources.of(2000, 512), 5_000, Set.of("a"));
        AmountPlan plan = ReclaimPolicy.amount(held("a b"), before, Resources.of(1000, 1024), names("b"), 9_000);
        assertThat(plan.debt()).isEqualTo(new Debt(Resources.of(2000, 1024), 5_000, Set.of("a", "b")));
        assertThat(plan.left()).isEqualTo(Resources.of(2000, 1024));
    }

    static Stream<Arguments> returned() {
        return Stream.of(
                Arguments.of("a container of two", Resources.of(2000, 2048), Resources.of(1000, 1024)),
                Arguments.of("all of it", Resources.of(1000, 1024), Resources.NONE),
                Arguments.of("more than that", Resources.of(500, 500), Resources.NONE),
                Arguments.of("only CPUs would be left", Resources.of(3000, 1024), Resources.NONE),
                Arguments.of("only memory would be left", Resources.of(1000, 3000), Resources.NONE));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("returned")
    void containersGoWhole(String sentence, Resources reclaimDebt, Resources left) {
        assertThat(ReclaimPolicy.left(reclaimDebt, SIZE)).isEqualTo(left);
    }

    @ParameterizedTest(name = "demanded {0}, now {1}: new {2}")
    @CsvSource(
            delimiter = '|',
            value = {"a b | a   | false", "a b | a b | false", "a | a b | true", "a | b | true", "a | '' | false"})
    void schedulersRepeatTheirDemands(String before, String demanded, boolean isNew) {
        Debt debt = new Debt(SIZE, 5_000, Set.copyOf(names(before)));
        assertThat(ReclaimPolicy.isNew(debt, names(demanded))).isEqualTo(isNew);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "its time has not come           | 4999 | false | false",
                "its time has come               | 5000 | false | true",
                "long ago                        | 9000 | false | true",
                "the node leaves in any case     | 9000 | true  | false",
            })
    void anAnnouncedContainerThatIsNotTakenIsFreeAgain(
            String sentence, long now, boolean nodeLeaves, boolean withdrawn) {
        assertThat(ReclaimPolicy.isWithdrawn(5_000, now, nodeLeaves)).isEqualTo(withdrawn);
    }

    @ParameterizedTest(name = "{0} MiB at {1}: {2}")
    @CsvSource({"1024, 4999, false", "1024, 5000, true", "1024, 6000, true", "0, 9000, false"})
    void anAmountThatIsNotTakenIsOwedNoMore(long memMb, long now, boolean withdrawn) {
        Debt debt = new Debt(Resources.of(memMb, memMb), 5_000, Set.of("a"));
        assertThat(ReclaimPolicy.isWithdrawn(debt, now)).isEqualTo(withdrawn);
    }

    @Test
    void theClusterMayBeTwiceAsLateAsAnnounced() {
        assertThat(ReclaimPolicy.patienceMillis(15_000)).isEqualTo(30_000);
    }
}
