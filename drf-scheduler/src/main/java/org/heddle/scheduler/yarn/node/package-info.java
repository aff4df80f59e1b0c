// SPDX-License-Identifier: Apache-2.0
/**
 * Scheduling on one node: tests whether an ask may run there, creates the container, or reserves the node for a large
 * ask. Nothing here decides which application is next. It refers to {@code app}, {@code queue} and {@code compat}.
 *
 * <p>Public for the other packages: all public types; {@code preemption} implements {@link
 * org.heddle.scheduler.yarn.node.PromisedResources}.
 */
@NullMarked
package org.heddle.scheduler.yarn.node;

import org.jspecify.annotations.NullMarked;
