// SPDX-License-Identifier: Apache-2.0
/**
 * The interface to the cluster below (YARN), and the records which cross it; nothing of Mesos, and nothing of Hadoop.
 */
@NullMarked
package org.heddle.offers.master.cluster;

import org.jspecify.annotations.NullMarked;
