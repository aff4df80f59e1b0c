// SPDX-License-Identifier: Apache-2.0
/**
 * The running epoch: the meters of the queues, their entitlements, and the weights that follow from them. Guarded by
 * the scheduler's lock; no Hadoop type, no clock, no store.
 */
@NullMarked
package org.heddle.market.epoch;

import org.jspecify.annotations.NullMarked;
