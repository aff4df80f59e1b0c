// SPDX-License-Identifier: Apache-2.0
/**
 * Queues as YARN sees them: the tree, limits, access, and the queue of a new application. It knows applications only as Hadoop's base classes.
 */
@NullMarked
package org.heddle.scheduler.yarn.queue;

import org.jspecify.annotations.NullMarked;
