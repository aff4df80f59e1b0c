// SPDX-License-Identifier: Apache-2.0
/** A cluster's past as a replay needs it: jobs with their tasks, and nodes. Values only, without Hadoop. */
@NullMarked
package org.heddle.whatif.model;

import org.jspecify.annotations.NullMarked;
