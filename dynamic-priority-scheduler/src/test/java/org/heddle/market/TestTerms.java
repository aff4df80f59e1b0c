// SPDX-License-Identifier: Apache-2.0
package org.heddle.market;

import org.heddle.market.model.terms.ChargePolicy;
import org.heddle.market.model.terms.MarketTerms;
import org.heddle.market.model.terms.OutagePolicy;

/** Rules for tests: ten-second intervals, and rates per slot and interval, unless said otherwise. */
public record TestTerms(long interval, long unit, ChargePolicy charge, int deficit) {
    public static final TestTerms PAPER =
            new TestTerms(10_000, 10_000, ChargePolicy.NONE, MarketTerms.MAX_DEFICIT_INTERVALS);

    /** The rules of the paper for a cluster: the unit is the interval, and nothing is owed. */
    public static MarketTerms paper(String cluster, long interval) {
        return new MarketTerms(cluster, interval, interval, ChargePolicy.NONE, 0, OutagePolicy.CONTINUE);
    }

    public TestTerms every(long millis) {
        return new TestTerms(millis, millis, charge, deficit);
    }

    public TestTerms unit(long millis) {
        return new TestTerms(interval, millis, charge, deficit);
    }

    public TestTerms charging(ChargePolicy policy) {
        return new TestTerms(interval, unit, policy, deficit);
    }

    public TestTerms withDeficit(int intervals) {
        return new TestTerms(interval, unit, charge, intervals);
    }

    public MarketTerms get() {
        return with(OutagePolicy.CONTINUE);
    }

    public MarketTerms with(OutagePolicy outage) {
        return new MarketTerms("test", interval, unit, charge, deficit, outage);
    }
}
