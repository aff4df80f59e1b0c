// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.quote;

/**
 * Nine of ten cases lie between {@code least} and {@code most}: one in twenty is below, one in twenty above.
 *
 * @param middle the median
 */
public record Range(double least, double middle, double most) {}
