// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

/**
 * What a queue gets of the nodes with one label. Percentages are of these nodes.
 *
 * @param guaranteed the queue comes first on these nodes until it holds one of these amounts
 * @param max maximum resources of the queue on these nodes
 */
public record LabelCapacity(Amounts guaranteed, Amounts max) {}
