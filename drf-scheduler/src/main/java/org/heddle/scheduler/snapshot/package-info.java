// SPDX-License-Identifier: Apache-2.0
/**
 * What the scheduler publishes about itself at one instant: plain values that REST, pages and commands read without
 * a lock. No Hadoop type, and no setting.
 */
@NullMarked
package org.heddle.scheduler.snapshot;

import org.jspecify.annotations.NullMarked;
