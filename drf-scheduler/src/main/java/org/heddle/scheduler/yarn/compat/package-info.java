// SPDX-License-Identifier: Apache-2.0
/**
 * Bridges to YARN's own types and to the differences between the Hadoop lines. It refers to no other room of the
 * scheduler.
 *
 * <p>Public for other rooms: {@link org.heddle.scheduler.yarn.compat.ResourceVectors}, {@link
 * org.heddle.scheduler.yarn.compat.AskAutocorrect}, {@link org.heddle.scheduler.yarn.compat.InvalidAsk} and {@link
 * org.heddle.scheduler.yarn.compat.CapacityMonitor}.
 */
@NullMarked
package org.heddle.scheduler.yarn.compat;

import org.jspecify.annotations.NullMarked;
