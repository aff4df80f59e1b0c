// SPDX-License-Identifier: Apache-2.0
/**
 * The half of preemption that touches YARN: it shows nodes and containers to the pure half, warns ApplicationMasters and kills containers.
 */
@NullMarked
package org.heddle.scheduler.yarn.preemption;

import org.jspecify.annotations.NullMarked;
