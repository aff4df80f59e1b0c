// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.read;

import java.util.HashMap;
import java.util.Map;
import org.heddle.scheduler.config.schema.LabelSchema;
import org.heddle.scheduler.config.xml.ConfigNode;
import org.heddle.scheduler.config.xml.Problems;
import org.heddle.scheduler.model.Amounts;
import org.heddle.scheduler.model.LabelCapacity;
import org.heddle.scheduler.model.Partitions;

/** Reads {@code <node-label>} elements, and compares them with those of the queues above. */
final class LabelReader {
    private static final LabelCapacity NONE = new LabelCapacity(Amounts.UNLIMITED, Amounts.UNLIMITED);

    private final Problems problems;
    private final LimitReader limits;

    LabelReader(Problems problems, LimitReader limits) {
        this.problems = problems;
        this.limits = limits;
    }

    /**
     * What a queue gets of each partition that it names.
     *
     * @param own the partitions that the queue may use
     * @param above the smallest limits on the way from the root
     */
    Map<String, LabelCapacity> read(ConfigNode queue, Partitions own, Partitions above) {
        Map<String, LabelCapacity> capacities = new HashMap<>();
        for (ConfigNode element : queue.children(LabelSchema.NODE_LABEL)) {
            String label = element.attribute("name");
            if (!own.allows(label)) {
                problems.add(
                        element.line(), element.tag() + " name", label, "must be one of the queue's <node-labels>");
            }
            Amounts most = above.capacities().getOrDefault(label, NONE).max();
            Amounts max = limits.read(element, LabelSchema.MAX, most, "the queues above");
            Amounts within = Inherited.tighter(most, max);
            LabelCapacity capacity =
                    new LabelCapacity(limits.read(element, LabelSchema.GUARANTEED, within, "the queue"), max);
            if (capacities.put(label, capacity) != null) {
                problems.addDuplicate(element, "name", label);
            }
        }
        return capacities;
    }

    /** What holds for the queues inside a queue: its access, and the smallest limits on the way from the root. */
    static Partitions inside(Partitions own, Partitions above) {
        Map<String, LabelCapacity> most = new HashMap<>(above.capacities());
        own.capacities()
                .forEach((label, capacity) -> most.merge(
                        label,
                        capacity,
                        (outer, inner) ->
                                new LabelCapacity(Amounts.UNLIMITED, Inherited.tighter(outer.max(), inner.max()))));
        return new Partitions(own.accessible(), own.usual(), most);
    }
}
