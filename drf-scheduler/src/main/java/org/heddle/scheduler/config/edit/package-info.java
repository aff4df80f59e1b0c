// SPDX-License-Identifier: Apache-2.0
/**
 * Writes and changes {@code heddle-scheduler.xml}. Nothing here decides whether the outcome is a good configuration; the
 * room {@code read} does.
 */
@NullMarked
package org.heddle.scheduler.config.edit;

import org.jspecify.annotations.NullMarked;
