// SPDX-License-Identifier: Apache-2.0
/**
 * The ResourceManager's part in a federation: the queues' weights in this sub-cluster, as the policy generator left
 * them in the federation's state store. It refers to {@code queue} and {@code compat} only.
 */
@NullMarked
package org.heddle.scheduler.yarn.federation;

import org.jspecify.annotations.NullMarked;
