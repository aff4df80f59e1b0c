// SPDX-License-Identifier: Apache-2.0
/**
 * How long a takeover or a restart takes, after a process was killed: bridges and ResourceManagers, in clusters of
 * processes.
 */
@NullMarked
package org.heddle.benchmarks.takeover;

import org.jspecify.annotations.NullMarked;
