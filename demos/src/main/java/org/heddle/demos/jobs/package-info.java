// SPDX-License-Identifier: Apache-2.0
/**
 * MapReduce jobs over real text and generated records, each with a check of its output that does not use MapReduce.
 */
@NullMarked
package org.heddle.demos.jobs;

import org.jspecify.annotations.NullMarked;
