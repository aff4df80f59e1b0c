// SPDX-License-Identifier: Apache-2.0
/**
 * Hot: schedulables, container sizes, the allocation pass. No Hadoop type.
 */
@NullMarked
package org.heddle.scheduler.engine;

import org.jspecify.annotations.NullMarked;
