// SPDX-License-Identifier: Apache-2.0
/**
 * The fair division of several sub-clusters among the same queues, and the weights by which Hadoop's Router,
 * AMRMProxies and each sub-cluster's scheduler bring it about. Nothing here knows Hadoop, a network or a clock.
 */
@NullMarked
package org.heddle.scheduler.federation;

import org.jspecify.annotations.NullMarked;
