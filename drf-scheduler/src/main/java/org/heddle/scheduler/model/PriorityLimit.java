// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

/**
 * The priorities that some users may give their applications in a queue.
 *
 * @param who the users
 * @param most the highest priority, 0 or more
 * @param usual the priority of an application that is submitted without one; at most the highest
 */
public record PriorityLimit(AccessList who, int most, int usual) {}
