// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.heddle.scheduler.policy.SchedulableView;
import org.heddle.scheduler.policy.ShareOrder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Single passes: each choice, and what a pass leaves behind. Vectors are CPU, memory. A wrong pass may never end. */
@Tag("pure")
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AllocationPassTest {
    private static final long ANY = Long.MAX_VALUE;

    /** Every application that the placer was asked to place, in order. */
    private final List<Schedulable> asked = new ArrayList<>();

    /** Places the first size that the gate admits, except for one application, which it refuses. */
    private Placer refusing(EngineFixture fixture, String refused) {
        return (app, gate) -> {
            asked.add(app);
            assertThat(asked).as("asked without an end").hasSizeLessThan(100);
            return app == fixture.schedulables.get(refused)
                    ? null
                    : fixture.engine.asks(app).stream()
                            .filter(gate::admits)
                            .findFirst()
                            .orElse(null);
        };
    }

    /** The refused sibling still asks, so its queue seemed to have somebody to serve, and the pass never ended. */
    @Test
    void endsWhenTheLastWillingChildOfAQueueIsServed() {
        EngineFixture fixture =
                new EngineFixture(1, 10, 10).group("q").app("q.picky").app("q.last");
        fixture.ask("q.picky", 5, 1, 1).ask("q.last", 1, 1, 1);
        assertThat(fixture.engine.offer(fixture.free.get(0), 10, 0, refusing(fixture, "q.picky")))
                .isEqualTo(1);
        assertThat(fixture.offer(0)).as("the refused one, in the next pass").isEqualTo(5);
    }

    /** A refusal is remembered (delay scheduling counts them), so nobody may be asked in vain. */
    @Test
    void doesNotAskAnApplicationWhoseOnlySizeItsQueueMayNotHave() {
        EngineFixture fixture = new EngineFixture(1, 10, 10)
                .group("q")
                .group("q.u")
                .app("q.u.cpu")
                .app("q.u.memory");
        fixture.limit("q", 1, ANY).ask("q.u.cpu", 5, 2, 0).ask("q.u.memory", 3, 0, 1);
        assertThat(fixture.engine.offer(fixture.free.get(0), 10, 0, refusing(fixture, "nobody")))
                .isEqualTo(3);
        assertThat(asked).hasSize(3).containsOnly(fixture.schedulable("q.u.memory"));
    }

    @Test
    void asksEachOneOnceThatRefuses() {
        EngineFixture fixture =
                new EngineFixture(1, 10, 10).app("picky").group("q").app("q.a");
        fixture.ask("picky", 5, 1, 1).ask("picky", 5, 2, 1).ask("q.a", 2, 1, 1);
        assertThat(fixture.engine.offer(fixture.free.get(0), 10, 0, refusing(fixture, "picky")))
                .isEqualTo(2);
        assertThat(asked).extracting(Schedulable::name).containsExactly("picky", "q.a", "q.a");
    }

    /** After new weights, before any offer: the answer must be by the new ones. */
    @Test
    void whoIsNextIsByThePresentWeights() {
        EngineFixture fixture = new EngineFixture(1, 10, 10).app("a").app("b");
        fixture.ask("a", 4, 1, 1).ask("b", 100, 1, 1);
        fixture.offer(0, 8);
        fixture.ask("a", 4, 1, 1);
        fixture.engine.setWeight(fixture.schedulable("b"), new double[] {9, 9});
        assertThat(fixture.engine.nextWithUnlimitedRoom()).isSameAs(fixture.schedulable("b"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 5})
    void placesAsManyAsItMay(int most) {
        EngineFixture fixture = new EngineFixture(1, 10, 10).app("a").ask("a", 5, 1, 1);
        assertThat(fixture.offer(0, most)).isEqualTo(most);
        assertThat(fixture.log).hasSize(most);
        assertThat(fixture.running("a")).isEqualTo(most);
        assertThat(fixture.schedulable("a").pending()).isEqualTo(5 - most);
    }

    @Test
    void stopsWhenThePlacerMayPlaceNoMore() {
        EngineFixture fixture = new EngineFixture(1, 10, 10).app("a").ask("a", 9, 1, 1);
        Placer placer = new Placer() {
            @Override
            public ContainerSize place(Schedulable application, Gate gate) {
                return fixture.engine.asks(application).get(0);
            }

            @Override
            public boolean goesOn(long[] free) {
                return free[0] > 7;
            }
        };
        assertThat(fixture.engine.offer(fixture.free.get(0), 9, 0, placer)).isEqualTo(3);
    }

    /** The small one still fits after the large one does not: nobody is asked for what has become too large. */
    @Test
    void aSizeThatFitsNoMoreIsAskedForNoMore() {
        EngineFixture fixture = new EngineFixture(1, 10, 10).app("large").app("small");
        fixture.ask("large", 3, 4, 4).ask("small", 7, 1, 1);
        assertThat(fixture.engine.offer(fixture.free.get(0), 10, 0, refusing(fixture, "nobody")))
                .isEqualTo(7);
        assertThat(fixture.free.get(0)).containsExactly(0, 0);
        assertThat(asked)
                .extracting(Schedulable::name)
                .startsWith("large", "small")
                .containsOnlyOnce("large");
        assertThat(fixture.engine.offer(fixture.free.get(0), 10, 0, refusing(fixture, "nobody")))
                .isZero();
        assertThat(asked).as("nobody is asked on a full node").hasSize(7);
    }

    /** The sizes of one queue are in the order in which they were first asked for, which must not decide. */
    @ParameterizedTest
    @CsvSource({"5, 1, b", "1, 5, a", "3, 3, a"})
    void theSmallestShareIsNextWhateverItsSize(long heldByA, long heldByB, String next) {
        for (boolean aAsksFirst : new boolean[] {true, false}) {
            EngineFixture fixture = new EngineFixture(1, 100, 100).app("a").app("b");
            fixture.hold("a", heldByA, 0).hold("b", heldByB, 0);
            fixture.ask(aAsksFirst ? "a" : "b", 1, aAsksFirst ? 1 : 2, 1);
            fixture.ask(aAsksFirst ? "b" : "a", 1, aAsksFirst ? 2 : 1, 1);
            assertThat(fixture.engine.nextWithUnlimitedRoom()).isSameAs(fixture.schedulable(next));
        }
    }

    @Test
    void whatOneQueueMayNotHaveAnotherGets() {
        EngineFixture fixture =
                new EngineFixture(1, 10, 10).group("q").app("q.a").group("r").app("r.a");
        fixture.limit("q", 1, ANY).ask("q.a", 2, 2, 0).ask("q.a", 2, 0, 1).ask("r.a", 1, 2, 0);
        assertThat(fixture.offer(0)).isEqualTo(3);
        assertThat(fixture.log).containsExactlyInAnyOrder("q.a[0, 1]@0", "q.a[0, 1]@0", "r.a[2, 0]@0");
    }

    /** The only user of the first queue is at its limit: that ends the turn of the queue, not the pass. */
    @Test
    void aQueueWhoseOnlyUserIsAtItsLimitLetsTheNextQueueThrough() {
        EngineFixture fixture =
                new EngineFixture(1, 10, 10).group("q").group("q.u").app("q.u.a");
        fixture.group("r").app("r.a").limit("q.u", 1, 1).ask("q.u.a", 1, 2, 2).ask("r.a", 1, 2, 2);
        assertThat(fixture.engine.nextWithUnlimitedRoom()).isSameAs(fixture.schedulable("r.a"));
        assertThat(fixture.offer(0)).isEqualTo(1);
        assertThat(fixture.log).containsExactly("r.a[2, 2]@0");
        assertThat(fixture.engine.offer(fixture.free.get(0), 1, 0, refusing(fixture, "nobody")))
                .isZero();
        assertThat(asked).isEmpty();
        assertThat(fixture.engine.nextWithUnlimitedRoom()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"q", "q.a"})
    void aLimitMayBeReachedAndNotExceeded(String limited) {
        EngineFixture fixture =
                new EngineFixture(1, 10, 10).group("q").app("q.a").limit(limited, 2, ANY);
        fixture.ask("q.a", 5, 1, 1);
        assertThat(fixture.offer(0)).isEqualTo(2);
    }

    /** Its limit was lowered: it may still get what needs nothing of the resource of which it has too much. */
    @Test
    void whoHoldsTooMuchOfOneResourceMayHaveMoreOfAnother() {
        EngineFixture fixture = new EngineFixture(1, 10, 10).app("a").hold("a", 3, 0);
        fixture.limit("a", 1, ANY).ask("a", 1, 0, 1).ask("a", 1, 1, 0);
        assertThat(fixture.offer(0)).isEqualTo(1);
        assertThat(fixture.log).containsExactly("a[0, 1]@0");
    }

    @Test
    void theGateAdmitsWhatFitsTheNodeAndAllLimitsAndIsAskedFor() {
        EngineFixture fixture =
                new EngineFixture(1, 10, 10).group("q").app("q.a").app("other");
        fixture.limit("q", 3, ANY).limit("q.a", ANY, 3);
        fixture.ask("q.a", 1, 1, 1).ask("q.a", 1, 4, 1).ask("q.a", 1, 1, 4).ask("q.a", 1, 1, 20);
        fixture.ask("other", 1, 2, 2);
        List<String> admitted = new ArrayList<>();
        Placer placer = (app, gate) -> {
            fixture.engine.asks(fixture.engine.root()).stream()
                    .filter(gate::admits)
                    .forEach(size -> admitted.add(app.name() + size));
            return null;
        };
        assertThat(fixture.engine.offer(fixture.free.get(0), 9, 0, placer)).isZero();
        assertThat(admitted).containsExactly("q.a[1, 1]", "other[2, 2]");
    }

    @Test
    void whoIsNextBelowAQueueIsNobodyElse() {
        EngineFixture fixture =
                new EngineFixture(1, 10, 10).app("poor").group("q").app("q.a").app("q.b");
        fixture.hold("q.a", 2, 2).hold("q.b", 1, 1);
        fixture.ask("poor", 1, 1, 1).ask("q.a", 1, 1, 1).ask("q.b", 1, 1, 1);
        assertThat(fixture.engine.nextBelow(fixture.schedulable("q"))).isSameAs(fixture.schedulable("q.b"));
        fixture.limit("q.b", 1, 1);
        assertThat(fixture.engine.nextBelow(fixture.schedulable("q"))).isSameAs(fixture.schedulable("q.a"));
        fixture.limit("q.a", 1, 1);
        assertThat(fixture.engine.nextBelow(fixture.schedulable("q"))).isNull();
        fixture.engine.setLimit(fixture.schedulable("q.a"), null);
        assertNothingLeft(fixture);
        assertThat(fixture.offer(0)).as("a question suspends nobody").isEqualTo(2);
    }

    @Test
    void roomInWhichNothingFitsIsNoPass() {
        EngineFixture fixture = new EngineFixture(1, 10, 10).app("a").ask("a", 1, 2, 2);
        assertThat(fixture.engine.nextWithUnlimitedRoom()).isNotNull();
        fixture.engine.setWeight(fixture.schedulable("a"), new double[] {2, 2});
        Placer placer = refusing(fixture, "nobody");
        assertThat(fixture.engine.offer(new NodeRoom().of(new long[] {1, 1}, placer), 1, placer))
                .isZero();
        assertThat(asked).isEmpty();
        assertThat(fixture.engine.isStale()).as("nothing was computed anew").isTrue();
    }

    /** q's poor user could run nowhere, so q counted as rich; a node with room makes its need count at once. */
    @Test
    void roomForASizeThatFittedNowhereCountsAtOnce() {
        EngineFixture fixture =
                new EngineFixture(2, 100, 100).group("q").app("q.rich").app("q.poor");
        fixture.app("r").hold("q.rich", 160, 0).ask("q.rich", 1, 1, 0).ask("r", 1, 1, 1);
        fixture.ask("q.poor", 1, 150, 150);
        for (int visit = 0; visit < 5; visit++) {
            fixture.offer(visit % 2, 0);
        }
        assertThat(fixture.schedulable("q.poor").isBlocked()).isTrue();
        assertThat(fixture.schedulable("q").normalizedShare()).isCloseTo(1.6, within(1e-9));
        Placer placer = refusing(fixture, "nobody");
        fixture.engine.offer(new NodeRoom().of(new long[] {150, 150}, placer), 0, placer);
        assertThat(fixture.schedulable("q.poor").isBlocked()).isFalse();
        assertThat(fixture.schedulable("q").normalizedShare()).isCloseTo(1, within(1e-9));
    }

    /** It fits one of the nodes and is refused there, round after round. */
    @Test
    void aSizeThatFitsOneNodeIsNotBlocked() {
        EngineFixture fixture = new EngineFixture(2, 10, 10).app("a").ask("a", 1, 5, 5);
        fixture.free.set(1, new long[2]);
        for (int visit = 0; visit < 8; visit++) {
            fixture.engine.offer(fixture.free.get(visit % 2), 1, visit, refusing(fixture, "a"));
        }
        fixture.engine.offer(fixture.free.get(1), 1, 8, refusing(fixture, "a"));
        assertThat(fixture.schedulable("a").isBlocked()).isFalse();
    }

    @Test
    void aPlacerThatFailsLeavesNothingSuspended() {
        EngineFixture fixture = new EngineFixture(1, 10, 10).app("picky").app("a");
        fixture.ask("picky", 1, 1, 1).ask("a", 1, 1, 1);
        Placer failing = (app, gate) -> {
            if (app == fixture.schedulable("a")) {
                throw new IllegalStateException("no");
            }
            return null;
        };
        assertThatThrownBy(() -> fixture.engine.offer(fixture.free.get(0), 9, 0, failing))
                .hasMessage("no");
        assertNothingLeft(fixture);
        assertThat(fixture.offer(0)).isEqualTo(2);
    }

    /**
     * q is above its share, but its poorest user is not: as long as that one asks, q stays before r, also if it
     * refuses.
     */
    @Test
    void aRefusalDoesNotMakeAQueueRicher() {
        EngineFixture fixture = richQueueWith("q.picky").hold("r", 0, 60);
        fixture.ask("q.picky", 1, 1, 0).ask("q.rich", 2, 15, 0).ask("r", 2, 0, 1);
        fixture.engine.offer(fixture.free.get(0), 2, 0, refusing(fixture, "q.picky"));
        assertThat(asked).extracting(Schedulable::name).containsExactly("q.picky", "q.rich", "q.rich");
        assertNothingLeft(fixture);
    }

    /** One that is held by its own limit does not make its queue poor, neither before the pass nor while suspended. */
    @Test
    void oneAtItsLimitDoesNotMakeAQueuePoorer() {
        EngineFixture fixture = richQueueWith("q.limited").hold("r", 0, 90).limit("q.limited", 0, 0);
        fixture.ask("q.limited", 1, 1, 0).ask("q.rich", 2, 15, 0).ask("r", 2, 0, 1);
        fixture.engine.offer(fixture.free.get(0), 2, 0, refusing(fixture, "nobody"));
        assertThat(asked).extracting(Schedulable::name).containsExactly("q.rich", "r");
        assertNothingLeft(fixture);
    }

    /** It was suspended for the size that its limit forbids when it had nothing, and then got much of another. */
    @Test
    void afterThePassSharesAreThoseOfWhatEachHasNow() {
        EngineFixture fixture = richQueueWith("q.poor").limit("q.poor", ANY, 0).hold("r", 0, 90);
        fixture.ask("q.poor", 1, 1, 1).ask("q.poor", 20, 2, 0).ask("q.rich", 1, 1, 0);
        assertThat(fixture.engine.offer(fixture.free.get(0), 19, 0, refusing(fixture, "q.rich")))
                .isEqualTo(19);
        double kept = fixture.schedulable("q").normalizedShare();
        fixture.engine.renew();
        assertThat(kept).isGreaterThan(1).isCloseTo(fixture.schedulable("q").normalizedShare(), within(1e-9));
        assertNothingLeft(fixture);
    }

    /** Of 100: the rich one of q holds 80 of the CPU; beside q is r. */
    private static EngineFixture richQueueWith(String sibling) {
        return new EngineFixture(1, 100, 100)
                .group("q")
                .app("q.rich")
                .app(sibling)
                .app("r")
                .hold("q.rich", 80, 0);
    }

    private static void assertNothingLeft(EngineFixture fixture) {
        for (Schedulable schedulable : fixture.schedulables.values()) {
            assertThat(schedulable.poorestSuspended).isInfinite();
            for (ContainerSize size : fixture.engine.asks(schedulable)) {
                assertThat(size.open).as("%s is open", size).isFalse();
                assertThat(schedulable.position[schedulable.slotOf(size)])
                        .as("place of %s for %s", schedulable, size)
                        .isNotEqualTo(Schedulable.SUSPENDED);
            }
        }
    }

    /** Serves the size with the least CPU first. */
    private static final ShareOrder LEAST_CPU = new ShareOrder() {
        @Override
        public String name() {
            return "least-cpu";
        }

        @Override
        public double key(SchedulableView child) {
            return 0;
        }

        @Override
        public boolean looksAtSizes() {
            return true;
        }

        @Override
        public double keyForSize(double key, long[] need, long[] used, long[] capacity) {
            return need[0];
        }
    };

    /** Columns: the CPU that each asks for, the CPU that each holds, and which is guaranteed 10. */
    @ParameterizedTest
    @CsvSource({
        "3, 1, 0, 0, , b",
        "1, 3, 0, 0, , a",
        "2, 2, 0, 0, , a",
        "1, 40, 0, 0, , a",
        "40, 1, 0, 0, , b",
        "3, 1, 5, 5, a, a",
        "1, 3, 5, 5, b, b",
        "3, 0, 5, 5, a, a",
        "0, 3, 5, 5, b, b",
        "3, 1, 5, 8, both, a",
        "1, 3, 8, 5, both, b",
    })
    void anOrderThatLooksAtSizesChoosesBySizeAndGuaranteesComeFirst(
            long cpuOfA, long cpuOfB, long heldByA, long heldByB, String guaranteed, String next) {
        for (boolean aAsksFirst : new boolean[] {true, false}) {
            EngineFixture fixture = new EngineFixture(1, 30, 30).app("a").app("b");
            fixture.engine.setOrder(fixture.engine.root(), LEAST_CPU);
            fixture.hold("a", heldByA, 0).hold("b", heldByB, 0);
            for (String app : List.of("a", "b")) {
                if (app.equals(guaranteed) || "both".equals(guaranteed)) {
                    fixture.engine.setGuarantee(fixture.schedulable(app), new long[] {10, 0});
                }
            }
            for (String app : aAsksFirst ? List.of("a", "b") : List.of("b", "a")) {
                fixture.ask(app, 1, app.equals("a") ? cpuOfA : cpuOfB, app.equals("a") ? 1 : 2);
            }
            assertThat(fixture.offer(0, 1)).isEqualTo(1);
            assertThat(fixture.containers.get(0).application()).isSameAs(fixture.schedulable(next));
        }
    }

    @Test
    void anOrderThatLooksAtSizesLooksOnlyAtThoseThatFit() {
        EngineFixture fixture = new EngineFixture(1, 10, 10).app("a").app("b");
        fixture.engine.setOrder(fixture.engine.root(), LEAST_CPU);
        fixture.ask("a", 1, 3, 1).ask("b", 1, 1, 20);
        assertThat(fixture.offer(0)).isEqualTo(1);
        assertThat(fixture.containers.get(0).application()).isSameAs(fixture.schedulable("a"));
    }
}
