// SPDX-License-Identifier: Apache-2.0
/**
 * Applications and attempts: their lifecycle, asks and containers, and the limits of running applications. It refers to
 * {@code queue}, {@code reservation} and {@code compat}, and uses nodes only through Hadoop's SchedulerNode.
 *
 * <p>Public for the other packages: all public types. {@code node} and {@code preemption} change an attempt only
 * through its methods.
 */
@NullMarked
package org.heddle.scheduler.yarn.app;

import org.jspecify.annotations.NullMarked;
