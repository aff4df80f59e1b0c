// SPDX-License-Identifier: Apache-2.0
/**
 * Applications and attempts: their life, their asks and containers, and the limits of how many may run. It refers to
 * {@code queue}, {@code reservation} and {@code compat}, and knows nodes only as Hadoop's SchedulerNode.
 *
 * <p>Public for other rooms: all public types. An attempt is changed by {@code node} and {@code preemption} through its
 * methods only.
 */
@NullMarked
package org.heddle.scheduler.yarn.app;

import org.jspecify.annotations.NullMarked;
