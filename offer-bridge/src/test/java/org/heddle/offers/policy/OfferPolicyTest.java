// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.heddle.offers.model.Resources;
import org.heddle.offers.policy.OfferPolicy.Verdict;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class OfferPolicyTest {
    /** A free part that its framework wants. */
    private static final class Part {
        private boolean active = true;
        private boolean draining;
        private boolean leaving;
        private boolean reclaimDebt;
        private boolean nodeWanted = true;
        private boolean sufficient = true;
        private boolean refused;
        private Resources free = Resources.of(1000, 1024);

        private Verdict decide() {
            return OfferPolicy.decide(new OfferPolicy.View(
                    active, draining, leaving, reclaimDebt, nodeWanted, sufficient, refused, free));
        }
    }

    private static Arguments line(String sentence, Verdict verdict, Consumer<Part> differs) {
        return Arguments.of(sentence, verdict, differs);
    }

    static Stream<Arguments> lines() {
        return Stream.of(
                line("nothing is in the way", Verdict.OFFER, one -> {}),
                line("offers are suppressed", Verdict.INACTIVE, one -> one.active = false),
                line("the lease is over", Verdict.DRAINING, one -> one.draining = true),
                line("the cluster takes the container", Verdict.LEAVING, one -> one.leaving = true),
                line("the cluster wants resources back", Verdict.RECLAIM_DEBT, one -> one.reclaimDebt = true),
                line("a constraint excludes the node", Verdict.NODE_EXCLUDED, one -> one.nodeWanted = false),
                line("less than the minimum", Verdict.TOO_SMALL, one -> one.sufficient = false),
                line("no memory", Verdict.TOO_SMALL, one -> one.free = Resources.of(1000, 0)),
                line("no CPU", Verdict.TOO_SMALL, one -> one.free = Resources.of(0, 1024)),
                line("a little of both is enough", Verdict.OFFER, one -> one.free = Resources.of(1, 1)),
                line("the framework has refused it", Verdict.REFUSED, one -> one.refused = true),
                line("the first reason is given", Verdict.LEAVING, one -> {
                    one.leaving = true;
                    one.refused = true;
                }));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("lines")
    void verdicts(String sentence, Verdict verdict, Consumer<Part> differs) {
        Part part = new Part();
        differs.accept(part);
        assertThat(part.decide()).isEqualTo(verdict);
    }

    /** Of a node of 10 CPUs and 10,000 MiB, three quarters may be used by long tasks: 7.5 CPUs and 7,500 MiB. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                //                                     | part | offered CPUs, MiB | taken CPUs, MiB | short only
                "an empty node                         | 0.25 | 1000 | 1000 | 0    | 0    | false",
                "exactly up to the limit               | 0.25 | 2500 | 2500 | 5000 | 5000 | false",
                "too many CPUs                         | 0.25 | 2501 | 2500 | 5000 | 5000 | true",
                "too much memory                       | 0.25 | 2500 | 2501 | 5000 | 5000 | true",
                "the offer alone is too large          | 0.25 | 8000 | 1000 | 0    | 0    | true",
                "nothing is kept for short tasks       | 0    | 9000 | 9000 | 5000 | 5000 | false",
                "all is kept for short tasks           | 1    | 1    | 1    | 0    | 0    | true",
            })
    void aPartOfEachNodeIsKeptForShortTasks(
            String sentence, double part, long cpus, long mem, long takenCpus, long takenMem, boolean shortOnly) {
        OfferPolicy.NodeShare share = new OfferPolicy.NodeShare(
                part,
                Resources.of(10_000, 10_000),
                Resources.of(cpus, mem),
                List.of(Resources.of(takenCpus / 2, takenMem / 2), Resources.of(takenCpus / 2, takenMem / 2)));
        assertThat(OfferPolicy.shortTasksOnly(share)).isEqualTo(shortOnly);
    }

    @ParameterizedTest(name = "{0} s: {1} ms")
    @CsvSource({
        "5, 5000",
        "0, 0",
        "0.5, 500",
        "-1, 5000",
        "NaN, 5000",
        "31536000, 31536000000",
        "31536001, 31536000000",
        "1e300, 31536000000"
    })
    void refusalsHoldForTheirTimeButNotForEver(double seconds, long millis) {
        assertThat(OfferPolicy.refuseMillis(seconds)).isEqualTo(millis);
    }
}
