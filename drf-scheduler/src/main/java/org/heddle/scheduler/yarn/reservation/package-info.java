// SPDX-License-Identifier: Apache-2.0
/**
 * YARN's reservation system: plans, the queues that stand for reservations, and who may reserve. Held nodes are in the room node.
 */
@NullMarked
package org.heddle.scheduler.yarn.reservation;

import org.jspecify.annotations.NullMarked;
