// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Worked examples of the papers, task for task. Vectors are CPU, memory unless said otherwise. */
@Tag("pure")
class ExactCasesTest {
    /** Fair shares are shown with four digits after the point or fewer. */
    private static final Offset<Double> PRINTED = within(0.000_002);

    private static final int PLENTY = 100_000;

    @Test
    void nexus4MemoryHeavyAgainstBalanced() {
        EngineFixture fixture = new EngineFixture(1, 300, 300)
                .app("a")
                .app("b")
                .ask("a", PLENTY, 1, 3)
                .ask("b", PLENTY, 1, 1)
                .fill();
        assertThat(fixture.running("a")).isEqualTo(50);
        assertThat(fixture.running("b")).isEqualTo(150);
    }

    @Test
    void nexus4OppositeDemandsBothReachNinetyPercent() {
        EngineFixture fixture = new EngineFixture(1, 300, 300)
                .app("a")
                .app("b")
                .ask("a", PLENTY, 1, 9)
                .ask("b", PLENTY, 9, 1)
                .fill();
        assertThat(fixture.part("a", 1)).isCloseTo(0.9, within(0.001));
        assertThat(fixture.part("b", 0)).isCloseTo(0.9, within(0.001));
    }

    @Test
    void nsdi2011() {
        EngineFixture fixture = new EngineFixture(1, 9, 18)
                .app("a")
                .app("b")
                .ask("a", PLENTY, 1, 4)
                .ask("b", PLENTY, 3, 1)
                .fill();
        assertThat(fixture.running("a")).isEqualTo(3);
        assertThat(fixture.running("b")).isEqualTo(2);
    }

    @Test
    void weightsDivideOneResourceInProportion() {
        EngineFixture fixture = new EngineFixture(1, 600, 600)
                .app("a", 3)
                .app("b", 2)
                .app("c", 1)
                .ask("a", PLENTY, 1, 1)
                .ask("b", PLENTY, 1, 1)
                .ask("c", PLENTY, 1, 1)
                .fill();
        assertThat(fixture.running("a")).isEqualTo(300);
        assertThat(fixture.running("b")).isEqualTo(200);
        assertThat(fixture.running("c")).isEqualTo(100);
    }

    /** A sibling that fills another resource must not starve the leaf that wants what is left (SoCC'13, starvation). */
    @Test
    void aQueueFullOfOneResourceStillGetsItsShareOfAnother() {
        EngineFixture fixture = new EngineFixture(1, 100, 100)
                .group("n1")
                .app("n1.cpu")
                .group("n2")
                .app("n2.cpu")
                .app("n2.gpu")
                .ask("n2.gpu", PLENTY, 0, 1)
                .ask("n1.cpu", PLENTY, 1, 0);
        fixture.fill(); // n2.gpu holds every GPU, n1.cpu every core
        assertThat(fixture.part("n2.gpu", 1)).isEqualTo(1);
        assertThat(fixture.part("n1.cpu", 0)).isEqualTo(1);

        fixture.ask("n2.cpu", PLENTY, 1, 0);
        for (int i = 0; i < 50; i++) {
            fixture.end(fixture.containers.stream()
                    .filter(c -> c.application() == fixture.schedulable("n1.cpu"))
                    .findFirst()
                    .orElseThrow());
            fixture.fill();
        }
        assertThat(fixture.running("n2.cpu")).isBetween(49L, 50L);
    }

    /** From an empty cluster: CPU is split between the two queues although one of them also has every GPU. */
    @Test
    void twoQueuesShareTheirCommonResource() {
        EngineFixture fixture = new EngineFixture(1, 100, 100)
                .group("n1")
                .app("n1.cpu")
                .group("n2")
                .app("n2.cpu")
                .app("n2.gpu")
                .ask("n2.gpu", PLENTY, 0, 1)
                .ask("n1.cpu", PLENTY, 1, 0)
                .ask("n2.cpu", PLENTY, 1, 0)
                .fill();
        assertThat(fixture.running("n1.cpu")).isEqualTo(50);
        assertThat(fixture.running("n2.cpu")).isEqualTo(50);
        assertThat(fixture.running("n2.gpu")).isEqualTo(100);
    }

    /** Three queues: with plain sums the newcomer of the GPU-rich queue would get nothing at all. */
    @Test
    void everyLeafGetsItsHierarchicalShare() {
        EngineFixture fixture = new EngineFixture(1, 90, 90)
                .group("n1")
                .app("n1.a")
                .group("n2")
                .group("n3")
                .app("n3.a");
        for (int i = 0; i < 9; i++) {
            fixture.app("n2.gpu" + i).ask("n2.gpu" + i, PLENTY, 0, 1);
        }
        fixture.app("n2.cpu")
                .ask("n2.cpu", PLENTY, 1, 0)
                .ask("n1.a", PLENTY, 1, 0)
                .ask("n3.a", PLENTY, 1, 0)
                .fill();
        // promised 90 / 3 / 10 = 3; with all ten children equal at s cores, 9s + 9s + s = 90
        assertThat(fixture.running("n2.cpu")).isBetween(4L, 5L);
        assertThat(fixture.running("n1.a")).isBetween(42L, 43L);
        assertThat(fixture.running("n3.a")).isBetween(42L, 43L);
    }

    /** A blocked child with a small share must not make its queue look poor for ever (SoCC'13, blocked nodes). */
    @Test
    void aBlockedChildDoesNotMakeItsQueueLookPoor() {
        EngineFixture fixture = new EngineFixture(10, 10, 1)
                .group("n1")
                .app("n1.gpu")
                .app("n1.cpu")
                .group("n2")
                .app("n2.cpu")
                .group("n3")
                .app("n3.gpu")
                .ask("n3.gpu", 10, 0, 1)
                .fill()
                .ask("n1.gpu", PLENTY, 1, 1)
                .ask("n1.cpu", PLENTY, 1, 0)
                .ask("n2.cpu", PLENTY, 1, 0)
                .fill();
        assertThat(fixture.running("n1.cpu")).isBetween(49L, 51L);
        assertThat(fixture.running("n2.cpu")).isBetween(49L, 51L);
        fixture.offer(0);
        fixture.offer(0);
        assertThat(fixture.schedulable("n1.gpu").isBlocked()).isTrue();
    }

    /** One resource: a queue cannot gain beyond its entitlement by sending fresh users. */
    @Test
    void freshUsersDoNotEnlargeTheirQueue() {
        EngineFixture fixture = new EngineFixture(1, 100, 100)
                .group("a")
                .app("a.first")
                .group("b")
                .app("b.only")
                .ask("a.first", PLENTY, 1, 1)
                .ask("b.only", PLENTY, 1, 1)
                .fill();
        for (int fresh = 0; fresh < 200; fresh++) {
            fixture.app("a.fresh" + fresh).ask("a.fresh" + fresh, PLENTY, 1, 1);
            fixture.end(fixture.containers.get(0));
            fixture.fill();
        }
        assertThat(fixture.running("a")).isBetween(49L, 51L);
        assertThat(fixture.running("b")).isBetween(49L, 51L);
    }

    @Test
    void weightZeroIsServedWhenNobodyElseWants() {
        EngineFixture fixture = new EngineFixture(1, 10, 10)
                .app("none", 0)
                .app("some", 1)
                .ask("none", PLENTY, 1, 1)
                .ask("some", 7, 1, 1)
                .fill();
        assertThat(fixture.running("some")).isEqualTo(7);
        assertThat(fixture.running("none")).isEqualTo(3);
        assertThat(fixture.schedulable("none").normalizedShare()).isInfinite();
    }

    @Test
    void perResourceWeightsAreNexus42() {
        // a is entitled to 3/4 of the cores and 1/4 of the memory, b the other way round
        EngineFixture fixture = new EngineFixture(1, 400, 400).app("a").app("b");
        fixture.engine.setWeight(fixture.schedulable("a"), new double[] {3, 1});
        fixture.engine.setWeight(fixture.schedulable("b"), new double[] {1, 3});
        fixture.ask("a", PLENTY, 3, 1).ask("b", PLENTY, 1, 3).fill();
        assertThat(fixture.running("a")).isEqualTo(100);
        assertThat(fixture.running("b")).isEqualTo(100);
    }

    @Test
    void resourceWeightsSayHowMuchAShareCounts() {
        // a share of memory counts half, so b's is the cores it holds, half of a's for each container:
        // a + 2b = 100 of memory at 2a = b
        EngineFixture fixture = new EngineFixture(1, 100, 100).app("a").app("b");
        fixture.engine.setResourceWeights(new double[] {1, 0.5});
        fixture.ask("a", PLENTY, 2, 1).ask("b", PLENTY, 1, 2).fill();
        assertThat(fixture.running("a")).isEqualTo(20);
        assertThat(fixture.running("b")).isEqualTo(40);
    }

    @Test
    void limitsHold() {
        EngineFixture fixture =
                new EngineFixture(1, 100, 100).group("q").app("q.a").app("b");
        fixture.engine.setLimit(fixture.schedulable("q"), new long[] {20, Long.MAX_VALUE});
        fixture.ask("q.a", PLENTY, 3, 1).ask("b", 10, 1, 1).fill();
        assertThat(fixture.running("q.a")).isEqualTo(6);
        assertThat(fixture.running("b")).isEqualTo(10);
    }

    @Test
    void fairSharesAreTheFluidLimit() {
        EngineFixture fixture = new EngineFixture(4, 75, 75)
                .app("a")
                .app("b")
                .ask("a", PLENTY, 1, 3)
                .ask("b", PLENTY, 1, 1);
        FairShares fair = fixture.fairShares();
        assertThat(fair.of(fixture.schedulable("a"))).isCloseTo(0.5, PRINTED);
        assertThat(fair.of(fixture.schedulable("b"))).isCloseTo(0.5, PRINTED);
        assertThat(fair.of(fixture.schedulable(""))).isCloseTo(1, PRINTED);
    }

    @Test
    void fairSharesAreExactAsFarAsTheyArePrinted() {
        // one core of twelve is all that c asks for; a and b divide the other eleven, 1 to 2
        EngineFixture fixture = new EngineFixture(1, 12, 1200)
                .group("q")
                .app("q.a", 1)
                .app("q.b", 2)
                .app("c");
        fixture.ask("q.a", PLENTY, 1, 10).ask("q.b", PLENTY, 1, 10).ask("c", 1, 1, 7);
        FairShares fair = fixture.fairShares();
        assertThat(fair.of(fixture.schedulable("c"))).isCloseTo(1 / 12.0, PRINTED);
        assertThat(fair.of(fixture.schedulable("q.a"))).isCloseTo(11 / 36.0, PRINTED);
        assertThat(fair.of(fixture.schedulable("q.b"))).isCloseTo(22 / 36.0, PRINTED);
        assertThat(fair.of(fixture.schedulable("q"))).isCloseTo(11 / 12.0, PRINTED);

        // a limit of a seventh, a guarantee of 3/7 to one who would get 2/7, and the rest
        fixture = new EngineFixture(1, 7, 7)
                .app("limited")
                .app("guaranteed")
                .app("d")
                .app("e");
        fixture.engine.setLimit(fixture.schedulable("limited"), new long[] {1, Long.MAX_VALUE});
        fixture.engine.setGuarantee(fixture.schedulable("guaranteed"), new long[] {3, 0});
        for (String app : List.of("limited", "guaranteed", "d", "e")) {
            fixture.ask(app, PLENTY, 1, 1);
        }
        fair = fixture.fairShares();
        assertThat(fair.of(fixture.schedulable("limited"))).isCloseTo(1 / 7.0, PRINTED);
        assertThat(fair.of(fixture.schedulable("guaranteed"))).isCloseTo(3 / 7.0, PRINTED);
        assertThat(fair.of(fixture.schedulable("d"))).isCloseTo(1.5 / 7, PRINTED);
        assertThat(fair.of(fixture.schedulable("e"))).isCloseTo(1.5 / 7, PRINTED);
    }
}
