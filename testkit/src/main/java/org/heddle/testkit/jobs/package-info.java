// SPDX-License-Identifier: Apache-2.0
/**
 * Jobs that need no input: of MapReduce with hardly a processor or at a given pace, for many nodes on few cores, MPI
 * programs on offers, a web farm with its clients, and commands in small processes.
 */
@NullMarked
package org.heddle.testkit.jobs;

import org.jspecify.annotations.NullMarked;
