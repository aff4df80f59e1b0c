// SPDX-License-Identifier: Apache-2.0
/**
 * Hot: schedulables, container sizes, the allocation pass, lifetimes of containers. No Hadoop type.
 */
@NullMarked
package org.heddle.scheduler.engine;

import org.jspecify.annotations.NullMarked;
