// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.quote;

import java.util.List;

/**
 * What is known about a market when a job is quoted.
 *
 * @param now the present state; its length does not count
 * @param history the past in the order of time; may be empty
 * @param rateUnitMillis time unit of rates
 * @param intervalMillis length of an epoch: a new rate applies from the next one on
 * @param excessIsFree whether use beyond the entitlement costs nothing ({@code charge-excess} none); otherwise it costs
 *     the rate
 */
public record MarketConditions(
        PriceSample now,
        List<PriceSample> history,
        double rateUnitMillis,
        double intervalMillis,
        boolean excessIsFree) {}
