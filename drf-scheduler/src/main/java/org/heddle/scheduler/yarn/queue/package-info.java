// SPDX-License-Identifier: Apache-2.0
/**
 * Queues as YARN sees them: the tree, limits, access, and the queue of a new application. It refers to {@code compat}
 * only, and uses applications only through Hadoop's base classes.
 *
 * <p>Public for the other packages: all types, except those that only
 * {@link org.heddle.scheduler.yarn.queue.QueueTree} creates or calls.
 */
@NullMarked
package org.heddle.scheduler.yarn.queue;

import org.jspecify.annotations.NullMarked;
