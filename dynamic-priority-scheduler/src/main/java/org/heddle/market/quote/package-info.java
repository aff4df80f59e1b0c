// SPDX-License-Identifier: Apache-2.0
/**
 * The arithmetic of quotes and what-ifs: slots at a rate, cost per hour, and the ranges of cost and finish of a job.
 * Pure: numbers in, numbers out; no Hadoop type, no clock, no REST. REST, pages and agents call {@link
 * org.heddle.market.quote.SlotPrice} for "what does this rate get me", and {@link
 * org.heddle.market.quote.JobForecast} for a job; {@code POST /heddle/market/v1/quotes} gives both to a browser.
 */
@NullMarked
package org.heddle.market.quote;

import org.jspecify.annotations.NullMarked;
