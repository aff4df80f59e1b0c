// SPDX-License-Identifier: Apache-2.0
/**
 * A virtual-clock cluster: nodes with slots and speeds, one job, and a real {@link
 * org.apache.hadoop.mapreduce.v2.app.speculate.Speculator} driven over fakes of the ApplicationMaster's interfaces. No
 * thread, no waiting; the same seed gives the same run.
 *
 * <p>What the model leaves out: other jobs, network contention, and data locality. Map and reduce slots are apart, as
 * in the paper's clusters.
 */
@NullMarked
package org.heddle.late.sim;

import org.jspecify.annotations.NullMarked;
