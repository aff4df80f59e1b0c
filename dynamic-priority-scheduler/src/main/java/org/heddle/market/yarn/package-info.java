// SPDX-License-Identifier: Apache-2.0
/** The market inside the ResourceManager: it steers the DRF scheduler's queues and meters what they hold. */
@NullMarked
package org.heddle.market.yarn;

import org.jspecify.annotations.NullMarked;
