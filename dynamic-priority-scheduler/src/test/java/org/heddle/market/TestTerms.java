// SPDX-License-Identifier: Apache-2.0
package org.heddle.market;

import org.heddle.market.model.terms.ChargePolicy;
import org.heddle.market.model.terms.ExhaustionPolicy;
import org.heddle.market.model.terms.MarketTerms;
import org.heddle.market.model.terms.Metering;
import org.heddle.market.model.terms.OutagePolicy;

/** Rules for tests: ten-second intervals, and rates per slot and interval, unless said otherwise. */
public record TestTerms(
        long interval, long unit, ChargePolicy charge, ExhaustionPolicy exhaustion, int deficit, boolean early) {
    public static final TestTerms PAPER =
            new TestTerms(10_000, 10_000, ChargePolicy.NONE, ExhaustionPolicy.FRACTIONAL, 10, false);

    public TestTerms every(long millis) {
        return new TestTerms(millis, millis, charge, exhaustion, deficit, early);
    }

    public TestTerms unit(long millis) {
        return new TestTerms(interval, millis, charge, exhaustion, deficit, early);
    }

    public TestTerms charging(ChargePolicy policy) {
        return new TestTerms(interval, unit, policy, exhaustion, deficit, early);
    }

    public TestTerms exhausting(ExhaustionPolicy policy) {
        return new TestTerms(interval, unit, charge, policy, deficit, early);
    }

    public TestTerms withDeficit(int intervals) {
        return new TestTerms(interval, unit, charge, exhaustion, intervals, early);
    }

    public TestTerms withEarlyEpochs() {
        return new TestTerms(interval, unit, charge, exhaustion, deficit, true);
    }

    public MarketTerms get() {
        return with(OutagePolicy.CONTINUE);
    }

    public MarketTerms with(OutagePolicy outage) {
        return new MarketTerms(
                "test", interval, unit, Metering.INTEGRAL, charge, exhaustion, early, 0, deficit, outage);
    }
}
