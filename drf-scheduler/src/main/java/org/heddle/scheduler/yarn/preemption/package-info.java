// SPDX-License-Identifier: Apache-2.0
/**
 * The part of preemption that touches YARN: it reads nodes and containers for the pure part, warns ApplicationMasters
 * and kills containers. It refers to {@code node}, {@code app}, {@code queue} and {@code compat}.
 *
 * <p>Public for other rooms: {@link org.heddle.scheduler.yarn.preemption.Preemptor} alone.
 */
@NullMarked
package org.heddle.scheduler.yarn.preemption;

import org.jspecify.annotations.NullMarked;
