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
        EngineFixture bed = new EngineFixture(1, 300, 300)
                .app("a")
                .app("b")
                .ask("a", PLENTY, 1, 3)
                .ask("b", PLENTY, 1, 1)
                .fill();
        assertThat(bed.running("a")).isEqualTo(50);
        assertThat(bed.running("b")).isEqualTo(150);
    }

    @Test
    void nexus4OppositeDemandsBothReachNinetyPercent() {
        EngineFixture bed = new EngineFixture(1, 300, 300)
                .app("a")
                .app("b")
                .ask("a", PLENTY, 1, 9)
                .ask("b", PLENTY, 9, 1)
                .fill();
        assertThat(bed.part("a", 1)).isCloseTo(0.9, within(0.001));
        assertThat(bed.part("b", 0)).isCloseTo(0.9, within(0.001));
    }

    @Test
    void nsdi2011() {
        EngineFixture bed = new EngineFixture(1, 9, 18)
                .app("a")
                .app("b")
                .ask("a", PLENTY, 1, 4)
                .ask("b", PLENTY, 3, 1)
                .fill();
        assertThat(bed.running("a")).isEqualTo(3);
        assertThat(bed.running("b")).isEqualTo(2);
    }

    @Test
    void weightsDivideOneResourceInProportion() {
        EngineFixture bed = new EngineFixture(1, 600, 600)
                .app("a", 3)
                .app("b", 2)
                .app("c", 1)
                .ask("a", PLENTY, 1, 1)
                .ask("b", PLENTY, 1, 1)
                .ask("c", PLENTY, 1, 1)
                .fill();
        assertThat(bed.running("a")).isEqualTo(300);
        assertThat(bed.running("b")).isEqualTo(200);
        assertThat(bed.running("c")).isEqualTo(100);
    }

    /** A sibling that fills another resource must not starve the leaf that wants what is left (SoCC'13, starvation). */
    @Test
    void aQueueFullOfOneResourceStillGetsItsShareOfAnother() {
        EngineFixture bed = new EngineFixture(1, 100, 100)
                .group("n1")
                .app("n1.cpu")
                .group("n2")
                .app("n2.cpu")
                .app("n2.gpu")
                .ask("n2.gpu", PLENTY, 0, 1)
                .ask("n1.cpu", PLENTY, 1, 0);
        bed.fill(); // n2.gpu holds every GPU, n1.cpu every core
        assertThat(bed.part("n2.gpu", 1)).isEqualTo(1);
        assertThat(bed.part("n1.cpu", 0)).isEqualTo(1);

        bed.ask("n2.cpu", PLENTY, 1, 0);
        for (int i = 0; i < 50; i++) {
            bed.end(bed.containers.stream()
                    .filter(c -> c.application() == bed.schedulable("n1.cpu"))
                    .findFirst()
                    .orElseThrow());
            bed.fill();
        }
        assertThat(bed.running("n2.cpu")).isBetween(49L, 50L);
    }

    /** From an empty cluster: CPU is split between the two queues although one of them also has every GPU. */
    @Test
    void twoQueuesShareTheirCommonResource() {
        EngineFixture bed = new EngineFixture(1, 100, 100)
                .group("n1")
                .app("n1.cpu")
                .group("n2")
                .app("n2.cpu")
                .app("n2.gpu")
                .ask("n2.gpu", PLENTY, 0, 1)
                .ask("n1.cpu", PLENTY, 1, 0)
                .ask("n2.cpu", PLENTY, 1, 0)
                .fill();
        assertThat(bed.running("n1.cpu")).isEqualTo(50);
        assertThat(bed.running("n2.cpu")).isEqualTo(50);
        assertThat(bed.running("n2.gpu")).isEqualTo(100);
    }

    /** Three queues: with plain sums the newcomer of the GPU-rich queue would get nothing at all. */
    @Test
    void everyLeafGetsItsHierarchicalShare() {
        EngineFixture bed = new EngineFixture(1, 90, 90)
                .group("n1")
                .app("n1.a")
                .group("n2")
                .group("n3")
                .app("n3.a");
        for (int i = 0; i < 9; i++) {
            bed.app("n2.gpu" + i).ask("n2.gpu" + i, PLENTY, 0, 1);
        }
        bed.app("n2.cpu")
                .ask("n2.cpu", PLENTY, 1, 0)
                .ask("n1.a", PLENTY, 1, 0)
                .ask("n3.a", PLENTY, 1, 0)
                .fill();
        // promised 90 / 3 / 10 = 3; with all ten children equal at s cores, 9s + 9s + s = 90
        assertThat(bed.running("n2.cpu")).isBetween(4L, 5L);
        assertThat(bed.running("n1.a")).isBetween(42L, 43L);
        assertThat(bed.running("n3.a")).isBetween(42L, 43L);
    }

    /** A blocked child with a small share must not make its queue look poor for ever (SoCC'13, blocked nodes). */
    @Test
    void aBlockedChildDoesNotMakeItsQueueLookPoor() {
        EngineFixture bed = new EngineFixture(10, 10, 1)
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
        assertThat(bed.running("n1.cpu")).isBetween(49L, 51L);
        assertThat(bed.running("n2.cpu")).isBetween(49L, 51L);
        bed.offer(0);
        bed.offer(0);
        assertThat(bed.schedulable("n1.gpu").isBlocked()).isTrue();
    }

    /** One resource: a queue cannot gain beyond its entitlement by sending fresh users. */
    @Test
    void freshUsersDoNotEnlargeTheirQueue() {
        EngineFixture bed = new EngineFixture(1, 100, 100)
                .group("a")
                .app("a.first")
                .group("b")
                .app("b.only")
                .ask("a.first", PLENTY, 1, 1)
                .ask("b.only", PLENTY, 1, 1)
                .fill();
        for (int fresh = 0; fresh < 200; fresh++) {
            bed.app("a.fresh" + fresh).ask("a.fresh" + fresh, PLENTY, 1, 1);
            bed.end(bed.containers.get(0));
            bed.fill();
        }
        assertThat(bed.running("a")).isBetween(49L, 51L);
        assertThat(bed.running("b")).isBetween(49L, 51L);
    }

    @Test
    void weightZeroIsServedWhenNobodyElseWants() {
        EngineFixture bed = new EngineFixture(1, 10, 10)
                .app("none", 0)
                .app("some", 1)
                .ask("none", PLENTY, 1, 1)
                .ask("some", 7, 1, 1)
                .fill();
        assertThat(bed.running("some")).isEqualTo(7);
        assertThat(bed.running("none")).isEqualTo(3);
        assertThat(bed.schedulable("none").normalizedShare()).isInfinite();
    }

    @Test
    void perResourceWeightsAreNexus42() {
        // a is entitled to 3/4 of the cores and 1/4 of the memory, b the other way round
        EngineFixture bed = new EngineFixture(1, 400, 400).app("a").app("b");
        bed.engine.setWeight(bed.schedulable("a"), new double[] {3, 1});
        bed.engine.setWeight(bed.schedulable("b"), new double[] {1, 3});
        bed.ask("a", PLENTY, 3, 1).ask("b", PLENTY, 1, 3).fill();
        assertThat(bed.running("a")).isEqualTo(100);
        assertThat(bed.running("b")).isEqualTo(100);
    }

    @Test
    void resourceWeightsSayHowMuchAShareCounts() {
        // a share of memory counts half, so b's is the cores it holds, half of a's for each container:
        // a + 2b = 100 of memory at 2a = b
        EngineFixture bed = new EngineFixture(1, 100, 100).app("a").app("b");
        bed.engine.setResourceWeights(new double[] {1, 0.5});
        bed.ask("a", PLENTY, 2, 1).ask("b", PLENTY, 1, 2).fill();
        assertThat(bed.running("a")).isEqualTo(20);
        assertThat(bed.running("b")).isEqualTo(40);
    }

    @Test
    void limitsHold() {
        EngineFixture bed = new EngineFixture(1, 100, 100).group("q").app("q.a").app("b");
        bed.engine.setLimit(bed.schedulable("q"), new long[] {20, Long.MAX_VALUE});
        bed.ask("q.a", PLENTY, 3, 1).ask("b", 10, 1, 1).fill();
        assertThat(bed.running("q.a")).isEqualTo(6);
        assertThat(bed.running("b")).isEqualTo(10);
    }

    @Test
    void fairSharesAreTheFluidLimit() {
        EngineFixture bed = new EngineFixture(4, 75, 75)
                .app("a")
                .app("b")
                .ask("a", PLENTY, 1, 3)
                .ask("b", PLENTY, 1, 1);
        FairShares fair = bed.fairShares();
        assertThat(fair.of(bed.schedulable("a"))).isCloseTo(0.5, PRINTED);
        assertThat(fair.of(bed.schedulable("b"))).isCloseTo(0.5, PRINTED);
        assertThat(fair.of(bed.schedulable(""))).isCloseTo(1, PRINTED);
    }

    @Test
    void fairSharesAreExactAsFarAsTheyArePrinted() {
        // one core of twelve is all that c asks for; a and b divide the other eleven, 1 to 2
        EngineFixture bed = new EngineFixture(1, 12, 1200)
                .group("q")
                .app("q.a", 1)
                .app("q.b", 2)
                .app("c");
        bed.ask("q.a", PLENTY, 1, 10).ask("q.b", PLENTY, 1, 10).ask("c", 1, 1, 7);
        FairShares fair = bed.fairShares();
        assertThat(fair.of(bed.schedulable("c"))).isCloseTo(1 / 12.0, PRINTED);
        assertThat(fair.of(bed.schedulable("q.a"))).isCloseTo(11 / 36.0, PRINTED);
        assertThat(fair.of(bed.schedulable("q.b"))).isCloseTo(22 / 36.0, PRINTED);
        assertThat(fair.of(bed.schedulable("q"))).isCloseTo(11 / 12.0, PRINTED);

        // a limit of a seventh, a guarantee of 3/7 to one who would get 2/7, and the rest
        bed = new EngineFixture(1, 7, 7)
                .app("limited")
                .app("guaranteed")
                .app("d")
                .app("e");
        bed.engine.setLimit(bed.schedulable("limited"), new long[] {1, Long.MAX_VALUE});
        bed.engine.setGuarantee(bed.schedulable("guaranteed"), new long[] {3, 0});
        for (String app : List.of("limited", "guaranteed", "d", "e")) {
            bed.ask(app, PLENTY, 1, 1);
        }
        fair = bed.fairShares();
        assertThat(fair.of(bed.schedulable("limited"))).isCloseTo(1 / 7.0, PRINTED);
        assertThat(fair.of(bed.schedulable("guaranteed"))).isCloseTo(3 / 7.0, PRINTED);
        assertThat(fair.of(bed.schedulable("d"))).isCloseTo(1.5 / 7, PRINTED);
        assertThat(fair.of(bed.schedulable("e"))).isCloseTo(1.5 / 7, PRINTED);
    }
}
