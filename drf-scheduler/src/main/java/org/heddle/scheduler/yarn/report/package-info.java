// SPDX-License-Identifier: Apache-2.0
/**
 * Reports of the scheduler for the outside: snapshots, metrics, and why an application waits. Nothing here changes
 * the state of the scheduler. It refers to all other packages but {@code reservation}; none of them refers to it.
 *
 * <p>Public for the other packages: all public types, for HeddleScheduler alone.
 */
@NullMarked
package org.heddle.scheduler.yarn.report;

import org.jspecify.annotations.NullMarked;
