// SPDX-License-Identifier: Apache-2.0
/**
 * The market inside the ResourceManager: it measures the containers of the DRF scheduler's queues and sets their
 * weights.
 */
@NullMarked
package org.heddle.market.yarn;

import org.jspecify.annotations.NullMarked;
