// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.snapshot;

import java.util.Map;

/**
 * A queue on the nodes with one label. Amounts are per resource name.
 *
 * @param total what these nodes have
 * @param used what the queue holds there
 * @param guaranteed its guarantee there; empty if none
 * @param limit its maximum there; absent where not limited
 */
public record LabelUsage(
        Map<String, Long> total, Map<String, Long> used, Map<String, Long> guaranteed, Map<String, Long> limit) {}
