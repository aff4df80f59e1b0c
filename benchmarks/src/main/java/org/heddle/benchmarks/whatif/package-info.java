// SPDX-License-Identifier: Apache-2.0
/**
 * The real schedulers on a virtual clock: experiments on shares and job times, and the day that {@code heddle whatif}
 * is timed with.
 */
@org.jspecify.annotations.NullMarked
package org.heddle.benchmarks.whatif;
