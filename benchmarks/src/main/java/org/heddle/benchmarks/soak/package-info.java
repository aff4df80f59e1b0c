// SPDX-License-Identifier: Apache-2.0
/** The soak: everything together in processes, whose daemons are killed at random, and what they hold over time. */
@NullMarked
package org.heddle.benchmarks.soak;

import org.jspecify.annotations.NullMarked;
