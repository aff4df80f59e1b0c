// SPDX-License-Identifier: Apache-2.0
/**
 * The bridge's master between a YARN, agents and frameworks that are emulated in the same process, and how it scales
 * with the number of nodes. No HTTP and no containers.
 */
@NullMarked
package org.heddle.benchmarks.offers.emulation;

import org.jspecify.annotations.NullMarked;
