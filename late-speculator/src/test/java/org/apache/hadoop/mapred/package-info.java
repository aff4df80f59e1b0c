// SPDX-License-Identifier: Apache-2.0
/** Test code that plays a part of Hadoop whose types are not visible elsewhere. Never shipped. */
@NullMarked
package org.apache.hadoop.mapred;

import org.jspecify.annotations.NullMarked;
