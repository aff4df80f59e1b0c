// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.quote;

/**
 * The market during some time in the past, or now.
 *
 * @param millis length of that time
 * @param others mean sum of the other accounts' rates
 * @param capacity mean slots of the cluster
 * @param idle mean slots that nobody used
 */
public record PriceSample(double millis, double others, double capacity, double idle) {}
