// SPDX-License-Identifier: Apache-2.0
/**
 * The epoch that is running: who uses how much, since when, and what each is entitled to. Guarded by the scheduler's lock;
 * no Hadoop type, no clock, no store.
 */
@NullMarked
package org.heddle.market.floor;

import org.jspecify.annotations.NullMarked;
