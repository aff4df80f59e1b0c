// SPDX-License-Identifier: Apache-2.0
/**
 * A real ResourceManager, real NodeManagers and a real ApplicationMaster with emulated maps: a map has no JVM and does
 * no work, it only reports the progress that its node would make. So a cluster with many slots runs on two cores and
 * keeps its times.
 */
@NullMarked
package org.heddle.late.emulated;

import org.jspecify.annotations.NullMarked;
