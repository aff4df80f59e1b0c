// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.quote;

/**
 * The forecast of a job.
 *
 * @param millis from now to the end of its last task; infinite if it does not end within a year
 * @param cost credits
 */
public record JobEstimate(Range millis, Range cost) {}
