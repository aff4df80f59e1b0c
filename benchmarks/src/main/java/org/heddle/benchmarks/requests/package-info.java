// SPDX-License-Identifier: Apache-2.0
/** From the request of an ApplicationMaster to its container, in a cluster whose daemons are processes. */
@NullMarked
package org.heddle.benchmarks.requests;

import org.jspecify.annotations.NullMarked;
