// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers.emulation;

/**
 * What is emulated.
 *
 * @param nodes of the cluster
 * @param frameworks that start a task on each node which they get
 * @param queues of YARN, among which the frameworks are divided
 * @param taskMillis mean length of their tasks, in ms
 * @param singleTasks that are measured
 */
record Scenario(int nodes, int frameworks, int queues, long taskMillis, int singleTasks) {}
