// SPDX-License-Identifier: Apache-2.0
/**
 * The MapReduce plug-in: {@link org.heddle.late.mr.LateSpeculator} for {@code
 * yarn.app.mapreduce.am.job.speculator.class}. Translates Hadoop's speculator events into observations, and verdicts
 * into the events an ApplicationMaster obeys.
 */
@NullMarked
package org.heddle.late.mr;

import org.jspecify.annotations.NullMarked;
