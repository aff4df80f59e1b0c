// SPDX-License-Identifier: Apache-2.0
/**
 * The pure half of preemption: who starves, for how long, and which containers may go for it. Knows the engine and
 * nothing of Hadoop.
 */
@NullMarked
package org.heddle.scheduler.preemption;

import org.jspecify.annotations.NullMarked;
