// SPDX-License-Identifier: Apache-2.0
/** Plans for people: Gantt charts and explanations. */
@NullMarked
package org.heddle.packing.see;

import org.jspecify.annotations.NullMarked;
