// SPDX-License-Identifier: Apache-2.0
/**
 * Plain values: resource kinds, queue specifications, configuration keys. No Hadoop type; what is published is in {@code snapshot}.
 */
@NullMarked
package org.heddle.scheduler.model;

import org.jspecify.annotations.NullMarked;
