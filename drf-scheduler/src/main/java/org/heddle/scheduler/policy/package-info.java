// SPDX-License-Identifier: Apache-2.0
/**
 * Share orders and fairness figures: pure functions of what they are shown. No Hadoop type.
 */
@NullMarked
package org.heddle.scheduler.policy;

import org.jspecify.annotations.NullMarked;
