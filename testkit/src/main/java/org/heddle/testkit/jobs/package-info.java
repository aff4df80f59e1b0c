// SPDX-License-Identifier: Apache-2.0
/** MapReduce jobs that need no input and hardly a processor, for clusters of many nodes on few cores. */
@NullMarked
package org.heddle.testkit.jobs;

import org.jspecify.annotations.NullMarked;
