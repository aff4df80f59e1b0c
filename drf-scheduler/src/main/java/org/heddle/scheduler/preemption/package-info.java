// SPDX-License-Identifier: Apache-2.0
/**
 * The pure half of preemption: what starves, for how long, and which containers may be preempted for it. Uses the
 * engine and no Hadoop type.
 */
@NullMarked
package org.heddle.scheduler.preemption;

import org.jspecify.annotations.NullMarked;
