// SPDX-License-Identifier: Apache-2.0
/**
 * Reads heddle-scheduler.xml, or a fair-scheduler.xml by way of the room fair, into a SchedulerSpec and reloads it when it changes. Nothing here changes a file.
 */
@NullMarked
package org.heddle.scheduler.config.read;

import org.jspecify.annotations.NullMarked;
