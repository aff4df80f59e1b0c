// SPDX-License-Identifier: Apache-2.0
/**
 * LATE (Zaharia et al., OSDI 2008) as a speculator for MapReduce. No class is here: {@code policy} decides, {@code mr}
 * is the plug-in for the ApplicationMaster, {@code tez} that for the master of Tez, and {@code replay} is the command
 * that replays finished jobs.
 */
@NullMarked
package org.heddle.late;

import org.jspecify.annotations.NullMarked;
