// SPDX-License-Identifier: Apache-2.0
/**
 * In-process HDFS, YARN and MapReduce under any scheduler class, for integration tests. Knows no plugin.
 */
@NullMarked
package org.heddle.testkit;

import org.jspecify.annotations.NullMarked;
