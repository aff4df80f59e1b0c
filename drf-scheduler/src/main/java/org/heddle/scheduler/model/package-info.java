// SPDX-License-Identifier: Apache-2.0
/**
 * Plain values: resource kinds, queue specifications, configuration keys. No Hadoop type.
 */
@NullMarked
package org.heddle.scheduler.model;

import org.jspecify.annotations.NullMarked;
