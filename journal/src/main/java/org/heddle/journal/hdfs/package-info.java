// SPDX-License-Identifier: Apache-2.0
/** The files of a log in HDFS, the only package here that uses Hadoop. */
@NullMarked
package org.heddle.journal.hdfs;

import org.jspecify.annotations.NullMarked;
