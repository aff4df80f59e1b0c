// SPDX-License-Identifier: Apache-2.0
/**
 * Writes and changes {@code heddle-scheduler.xml}, and changes {@code capacity-scheduler.xml}. Package {@code read}
 * decides whether the result is valid.
 */
@NullMarked
package org.heddle.scheduler.config.edit;

import org.jspecify.annotations.NullMarked;
