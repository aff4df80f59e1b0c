// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class OfferDecisionTest {
    private static final ExecutorSize SIZE = new ExecutorSize(2, 1000);

    private static OfferView offer(String host, double cpus, double memMb) {
        return new OfferView("offer-" + host, "agent-" + host, host, cpus, memMb);
    }

    private static Demand demand(
            int wanted, Map<String, Integer> preferred, double localitySeconds, String... avoided) {
        return new Demand(wanted, SIZE, preferred, localitySeconds, Set.of(avoided));
    }

    /** Host, executors and seconds of refusal of each decision. */
    private static String decide(Demand demand, OfferView... offers) {
        return OfferDecision.decide(demand, List.of(offers)).stream()
                .map(one -> one.offer.host + " " + one.executors + " " + one.refuseSeconds)
                .collect(Collectors.joining(", "));
    }

    @Test
    void executorsSpreadOverOffers() {
        assertThat(decide(demand(3, Map.of(), 0), offer("a", 8, 8000), offer("b", 8, 8000)))
                .isEqualTo("a 2 3600.0, b 1 3600.0");
    }

    @Test
    void anOfferHoldsAsManyAsItsScarcestResource() {
        assertThat(decide(demand(9, Map.of(), 0), offer("cpu", 5, 8000), offer("mem", 8, 1999)))
                .isEqualTo("cpu 2 5.0, mem 1 5.0");
    }

    @Test
    void anOfferThatIsTooSmallIsRefusedForAShortTimeWhileMoreIsWanted() {
        assertThat(decide(demand(1, Map.of(), 0), offer("a", 1, 8000))).isEqualTo("a 0 5.0");
    }

    @Test
    void withoutDemandOffersAreRefusedForLong() {
        assertThat(decide(demand(0, Map.of(), 0), offer("a", 8, 8000))).isEqualTo("a 0 3600.0");
    }

    @Test
    void hostsWithDataComeFirstAndOthersWaitForTheRestOfTheLocalityWait() {
        assertThat(decide(demand(4, Map.of("b", 2), 2.5), offer("a", 8, 8000), offer("b", 8, 8000), offer("c", 1, 1)))
                .isEqualTo("a 0 2.5, b 2 2.5, c 0 5.0");
    }

    @Test
    void otherHostsGetExecutorsWhenTheWaitIsOver() {
        assertThat(decide(demand(3, Map.of("b", 1), 0), offer("a", 8, 8000), offer("b", 8, 8000)))
                .isEqualTo("a 1 3600.0, b 2 3600.0");
    }

    @Test
    void twoOffersOfOneHostShareItsPreference() {
        assertThat(decide(demand(4, Map.of("a", 2), 1), offer("a", 2, 1000), offer("a", 4, 2000)))
                .isEqualTo("a 1 5.0, a 1 1.0");
    }

    @Test
    void hostsWhereExecutorsFailedGetNone() {
        assertThat(decide(demand(1, Map.of("a", 1), 0, "a"), offer("a", 8, 8000)))
                .isEqualTo("a 0 60.0");
    }
}
