// SPDX-License-Identifier: Apache-2.0
/**
 * A real ResourceManager, real NodeManagers and a real ApplicationMaster whose maps only play their part: no JVM, no
 * work, the progress of their node's pace. So that a cluster of many slots fits on two cores and keeps its times.
 */
@NullMarked
package org.heddle.late.emulated;

import org.jspecify.annotations.NullMarked;
