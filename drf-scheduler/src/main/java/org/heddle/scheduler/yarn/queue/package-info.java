// SPDX-License-Identifier: Apache-2.0
/**
 * Queues as YARN sees them: the tree, limits, access, and the queue of a new application. It refers to {@code compat}
 * only, and knows applications only as Hadoop's base classes.
 *
 * <p>Public for other rooms: all but those that {@link org.heddle.scheduler.yarn.queue.QueueTree} alone creates or
 * calls.
 */
@NullMarked
package org.heddle.scheduler.yarn.queue;

import org.jspecify.annotations.NullMarked;
