// SPDX-License-Identifier: Apache-2.0
/**
 * Reads the configuration of CapacityScheduler, {@code capacity-scheduler.xml} and its keys in {@code yarn-site.xml},
 * into the specification that {@code heddle-scheduler.xml} is read into. Nothing here writes a file.
 */
@NullMarked
package org.heddle.scheduler.config.capacity;

import org.jspecify.annotations.NullMarked;
