// SPDX-License-Identifier: Apache-2.0
/**
 * Immediate allocation: an index of the nodes by free resources, and the pass that places asks on any node without
 * waiting for its heartbeat. The engine chooses the application, {@code Feasibility} decides whether a node may be
 * used, {@code ContainerAllocator} creates the container; nothing of that is here. It refers to {@code node}, {@code
 * app}, {@code queue} and {@code compat}.
 */
@NullMarked
package org.heddle.scheduler.yarn.placement;

import org.jspecify.annotations.NullMarked;
