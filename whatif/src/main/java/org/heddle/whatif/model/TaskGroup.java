// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.model;

/**
 * Tasks of a job which are requested alike.
 *
 * @param size of each container
 * @param millis how long each task runs; for a reduce, how long it runs after the last map of its job has ended; 0 for
 *     an executor
 */
public record TaskGroup(TaskKind kind, Size size, long[] millis) {}
