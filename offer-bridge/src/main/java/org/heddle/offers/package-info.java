// SPDX-License-Identifier: Apache-2.0
/**
 * Resource offers from a stock YARN cluster over the Mesos v1 scheduler and executor HTTP API (Hindman et al., Nexus,
 * UCB/EECS-2009-158, and Mesos, NSDI 2011). Here: the main class, settings, leader election, and {@link
 * org.heddle.offers.Bridge}, which connects the parts. No scheduling decision belongs here.
 */
@NullMarked
package org.heddle.offers;

import org.jspecify.annotations.NullMarked;
