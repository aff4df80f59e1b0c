// SPDX-License-Identifier: Apache-2.0
/**
 * One node's part in scheduling: may this ask run here, make the container, or hold the node for a large ask. Nothing here decides whose turn it is.
 */
@NullMarked
package org.heddle.scheduler.yarn.node;

import org.jspecify.annotations.NullMarked;
