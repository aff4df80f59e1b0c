// SPDX-License-Identifier: Apache-2.0
/** What tests need from Hadoop's package of this name. */
@NullMarked
package org.apache.hadoop.mapreduce.jobhistory;

import org.jspecify.annotations.NullMarked;
