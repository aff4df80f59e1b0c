// SPDX-License-Identifier: Apache-2.0
/**
 * Resource offers from a stock YARN cluster over the Mesos v1 scheduler and executor HTTP API (Hindman et al., Nexus,
 * UCB/EECS-2009-158, and Mesos, NSDI 2011): the bridge's wiring.
 */
@NullMarked
package org.heddle.offers;

import org.jspecify.annotations.NullMarked;
