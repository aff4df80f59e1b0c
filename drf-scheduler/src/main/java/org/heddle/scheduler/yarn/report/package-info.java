// SPDX-License-Identifier: Apache-2.0
/**
 * What is seen of the scheduler from outside: snapshots, metrics, and why an application waits. Nothing here changes the state of the scheduler.
 */
@NullMarked
package org.heddle.scheduler.yarn.report;

import org.jspecify.annotations.NullMarked;
