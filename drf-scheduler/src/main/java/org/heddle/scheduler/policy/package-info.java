// SPDX-License-Identifier: Apache-2.0
/**
 * Share orders and fairness figures: functions of their arguments only. No Hadoop type.
 */
@NullMarked
package org.heddle.scheduler.policy;

import org.jspecify.annotations.NullMarked;
