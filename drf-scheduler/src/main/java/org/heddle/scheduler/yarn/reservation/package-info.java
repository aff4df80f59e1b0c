// SPDX-License-Identifier: Apache-2.0
/**
 * YARN's reservation system: plans, the queues that stand for reservations, and who may reserve. It refers to {@code
 * queue} and {@code compat}. Nodes that are reserved for large asks are in the room {@code node}.
 *
 * <p>Public for other rooms: {@link org.heddle.scheduler.yarn.reservation.PlanQueues}, {@link
 * org.heddle.scheduler.yarn.reservation.PlanScheduler} and {@link
 * org.heddle.scheduler.yarn.reservation.HeddleReservationSystem}. YARN creates the other public types.
 */
@NullMarked
package org.heddle.scheduler.yarn.reservation;

import org.jspecify.annotations.NullMarked;
