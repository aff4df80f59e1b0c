// SPDX-License-Identifier: Apache-2.0
/**
 * Applications and attempts: their life, their asks and containers, and the limits of how many may run. It knows nodes only as Hadoop's SchedulerNode.
 */
@NullMarked
package org.heddle.scheduler.yarn.app;

import org.jspecify.annotations.NullMarked;
