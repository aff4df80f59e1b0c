// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

/**
 * When it is the turn of an application among its siblings, under an order that estimates sizes.
 *
 * @param place among those that wait; 1: the next
 * @param waiting how many of them wait, itself included
 * @param endMillis how long it will take until it ends, if it and those before it ask for no more and their parent
 *     holds what it is entitled to; {@code Long.MAX_VALUE} if the parent is entitled to nothing
 */
public record Turn(int place, int waiting, long endMillis) {}
