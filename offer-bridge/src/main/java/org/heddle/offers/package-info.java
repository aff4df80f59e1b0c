// SPDX-License-Identifier: Apache-2.0
/**
 * Nothing here yet. To come: resource offers from a stock YARN cluster over the Mesos v1 scheduler
 * and executor HTTP API (Hindman et al., Nexus, UCB/EECS-2009-158, and Mesos, NSDI 2011). Packages
 * planned: {@code model}, {@code policy}, {@code http}, {@code yarn}, {@code agent}, {@code store},
 * {@code client}, and the frameworks on top.
 */
@NullMarked
package org.heddle.offers;

import org.jspecify.annotations.NullMarked;
