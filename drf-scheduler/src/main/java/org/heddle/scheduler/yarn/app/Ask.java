// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.heddle.scheduler.engine.ContainerSize;

/**
 * One thing that an attempt asks for: containers of one size under one of YARN's keys.
 *
 * @param key priority and allocation request
 * @param size of one container
 * @param times since when its containers have been requested
 */
public record Ask(SchedulerRequestKey key, ContainerSize size, RequestTimes times) {}
