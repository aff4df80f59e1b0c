// SPDX-License-Identifier: Apache-2.0
/**
 * The MapReduce plug-in: {@link org.heddle.late.mr.LateSpeculator} for {@code
 * yarn.app.mapreduce.am.job.speculator.class}. It turns Hadoop's speculator events into observations, and decisions
 * into events for the ApplicationMaster. Nothing is decided here.
 */
@NullMarked
package org.heddle.late.mr;

import org.jspecify.annotations.NullMarked;
