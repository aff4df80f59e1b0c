// SPDX-License-Identifier: Apache-2.0
/** A queue of batch jobs with walltimes. */
@NullMarked
package org.heddle.frameworks.batch;

import org.jspecify.annotations.NullMarked;
