// SPDX-License-Identifier: Apache-2.0
/**
 * Writes and changes heddle-scheduler.xml. Nothing here decides whether the outcome is a good configuration; the room read does.
 */
@NullMarked
package org.heddle.scheduler.config.edit;

import org.jspecify.annotations.NullMarked;
