// SPDX-License-Identifier: Apache-2.0
/**
 * Hot: columns, share trees, the allocation pass. No Hadoop type.
 */
@NullMarked
package org.heddle.scheduler.engine;

import org.jspecify.annotations.NullMarked;
