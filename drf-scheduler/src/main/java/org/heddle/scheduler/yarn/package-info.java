// SPDX-License-Identifier: Apache-2.0
/**
 * The ResourceManager shell: events in, grants out. {@code HeddleScheduler} takes the events, {@code
 * ClientFacingScheduler} the questions, and {@code SchedulerParts} makes the parts, which are in the rooms below.
 */
@NullMarked
package org.heddle.scheduler.yarn;

import org.jspecify.annotations.NullMarked;
