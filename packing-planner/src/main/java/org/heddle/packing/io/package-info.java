// SPDX-License-Identifier: Apache-2.0
/**
 * Problems and plans as JSON or YAML. A message names the path of each wrong value. No class here knows a planner.
 */
@NullMarked
package org.heddle.packing.io;

import org.jspecify.annotations.NullMarked;
