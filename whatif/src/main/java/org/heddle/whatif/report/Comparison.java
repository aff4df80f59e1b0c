// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.heddle.whatif.model.History;
import org.heddle.whatif.model.Size;
import org.heddle.whatif.outcome.Outcome;

/**
 * A past, a cluster, and what came out with each scheduler.
 *
 * @param source where the past comes from
 * @param nodes the sizes of all nodes
 * @param outcomes at least one
 */
public record Comparison(String source, History history, List<Size> nodes, List<Outcome> outcomes) {
    public Comparison {
        nodes = List.copyOf(nodes);
        outcomes = List.copyOf(outcomes);
    }

    /** One line for each size of node: {@code 12 nodes of 65536 MB and 16 vcores}. */
    List<String> nodeSizes() {
        Map<Size, Integer> counts = new HashMap<>();
        nodes.forEach(size -> counts.merge(size, 1, Integer::sum));
        Map<Size, Integer> sorted = new TreeMap<>(Comparator.comparingLong(Size::memoryMb)
                .thenComparingInt(Size::vcores)
                .reversed());
        sorted.putAll(counts);
        List<String> lines = new ArrayList<>();
        sorted.forEach((size, count) -> lines.add(count + (count == 1 ? " node of " : " nodes of ") + size));
        return lines;
    }

    /** From the first submission to the last end that the past tells, in milliseconds; 0 if it tells none. */
    long recordedMakespanMillis() {
        return history.endMillis() - history.beginMillis();
    }
}
