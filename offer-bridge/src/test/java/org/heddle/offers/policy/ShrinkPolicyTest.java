// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.heddle.offers.model.PortRange;
import org.heddle.offers.model.Ports;
import org.heddle.offers.model.Resources;
import org.heddle.offers.policy.ShrinkPolicy.Drain;
import org.heddle.offers.policy.ShrinkPolicy.Support;
import org.heddle.offers.policy.ShrinkPolicy.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ShrinkPolicyTest {
    private static final Ports PORTS = new Ports(List.of(new PortRange(31000, 31004)));

    /** A container of 4 CPUs and 4,096 MiB, half of which nobody has wanted for long. */
    private static final class Container {
        private Support support = Support.SUPPORTED;
        private boolean requested;
        private boolean connected = true;
        private boolean executors;
        private Drain drain = Drain.NONE;
        private long unwanted = 60_000;
        private long refused;
        private boolean suppressed;
        private Resources used = Resources.of(2000, 2048);

        private ShrinkPolicy.Decision decide() {
            return ShrinkPolicy.decide(new ShrinkPolicy.View(
                    support,
                    requested,
                    connected,
                    executors,
                    drain,
                    unwanted,
                    refused,
                    suppressed,
                    new Resources(4000, 4096, 100, PORTS),
                    used,
                    Resources.of(100, 64)));
        }
    }

    private static Arguments line(String sentence, Verdict verdict, Consumer<Container> differs) {
        return Arguments.of(sentence, verdict, differs);
    }

    static Stream<Arguments> lines() {
        return Stream.of(
                line("half of it is unwanted", Verdict.SHRINK, one -> {}),
                line("the first request of all", Verdict.SHRINK, one -> one.support = Support.UNKNOWN),
                line("the first request is not answered", Verdict.PROBING, one -> one.support = Support.PROBING),
                line("the scheduler cannot do it", Verdict.UNSUPPORTED, one -> one.support = Support.UNSUPPORTED),
                line("its own request is not answered", Verdict.REQUESTED, one -> one.requested = true),
                line("its agent is away", Verdict.NO_AGENT, one -> one.connected = false),
                line("an executor runs in it", Verdict.HAS_EXECUTORS, one -> one.executors = true),
                line("it may return as a whole", Verdict.DRAINING, one -> one.drain = Drain.DRAINING),
                line("its tasks did not end in time", Verdict.SHRINK, one -> {
                    one.drain = Drain.IN_VAIN;
                    one.unwanted = 0;
                }),
                line("unwanted for less than 10 s", Verdict.WAIT, one -> one.unwanted = 9_999),
                line("unwanted for 10 s", Verdict.SHRINK, one -> one.unwanted = 10_000),
                line("refused for 5 s, the default", Verdict.WAIT, one -> {
                    one.unwanted = 0;
                    one.refused = 5_000;
                }),
                line("refused for just less than 10 s", Verdict.WAIT, one -> {
                    one.unwanted = 0;
                    one.refused = 9_999;
                }),
                line("refused for 10 s", Verdict.SHRINK, one -> {
                    one.unwanted = 0;
                    one.refused = 10_000;
                }),
                line("offers are suppressed", Verdict.SHRINK, one -> {
                    one.unwanted = 0;
                    one.suppressed = true;
                }),
                line(
                        "less than a quarter would be free",
                        Verdict.TOO_LITTLE,
                        one -> one.used = Resources.of(3001, 3073)),
                line("a quarter of the memory", Verdict.SHRINK, one -> one.used = Resources.of(4000, 3072)),
                line("a quarter of the CPUs", Verdict.SHRINK, one -> one.used = Resources.of(3000, 4096)),
                line("all of it is used", Verdict.TOO_LITTLE, one -> one.used = Resources.of(4000, 4096)));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("lines")
    void verdicts(String sentence, Verdict verdict, Consumer<Container> differs) {
        Container container = new Container();
        differs.accept(container);
        assertThat(container.decide().verdict()).isEqualTo(verdict);
    }

    static Stream<Arguments> sizes() {
        return Stream.of(
                Arguments.of("whole cores, as YARN counts them", Resources.of(1001, 2048), 2000, 2048),
                Arguments.of("exactly one core", Resources.of(1000, 2048), 1000, 2048),
                Arguments.of("at least one core", Resources.of(0, 2048), 1000, 2048),
                Arguments.of("at least the memory of the smallest offer", Resources.of(500, 10), 1000, 64),
                Arguments.of("never more than it was", Resources.of(9000, 9000), 4000, 4096));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("sizes")
    void theSizeIsWhatTasksUse(String sentence, Resources used, long milliCpus, long memMb) {
        Container container = new Container();
        container.used = used;
        assertThat(container.decide().size())
                .as("disk and ports stay, as YARN does not schedule them")
                .isEqualTo(new Resources(milliCpus, memMb, 100, PORTS));
    }

    @Test
    void timeWithoutInterestCountsWhereNothingElseIsInTheWay() {
        assertThat(Stream.of(Verdict.values()).filter(Verdict::isPossible))
                .containsExactlyInAnyOrderElementsOf(EnumSet.of(Verdict.SHRINK, Verdict.WAIT, Verdict.TOO_LITTLE));
    }
}
