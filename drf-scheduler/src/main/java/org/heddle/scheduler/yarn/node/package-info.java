// SPDX-License-Identifier: Apache-2.0
/**
 * One node's part in scheduling: may this ask run here, create the container, or reserve the node for a large ask.
 * Nothing here decides which application is next. It refers to {@code app}, {@code queue} and {@code compat}.
 *
 * <p>Public for the other packages: all public types; {@code preemption} implements {@link
 * org.heddle.scheduler.yarn.node.PromisedRoom}.
 */
@NullMarked
package org.heddle.scheduler.yarn.node;

import org.jspecify.annotations.NullMarked;
