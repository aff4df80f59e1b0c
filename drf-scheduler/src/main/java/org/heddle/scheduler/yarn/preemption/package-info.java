// SPDX-License-Identifier: Apache-2.0
/**
 * The half of preemption that touches YARN: it shows nodes and containers to the pure half, warns ApplicationMasters
 * and kills containers. It refers to {@code node}, {@code app}, {@code queue} and {@code compat}.
 *
 * <p>Public for other rooms: {@link org.heddle.scheduler.yarn.preemption.Preemptor} alone.
 */
@NullMarked
package org.heddle.scheduler.yarn.preemption;

import org.jspecify.annotations.NullMarked;
