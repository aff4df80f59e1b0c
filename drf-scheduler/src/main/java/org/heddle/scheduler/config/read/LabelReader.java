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
import org.heddle.scheduler.model.QueueSettings;
import org.jspecify.annotations.Nullable;

/** Reads {@code <node-label>} elements, and compares them with those of the queues above. */
final class LabelReader {
    private final Problems problems;
    private final LimitReader limits;

    LabelReader(Problems problems, LimitReader limits) {
        this.problems = problems;
        this.limits = limits;
    }

    /** What a queue gets of each partition that it names. */
    Map<String, LabelCapacity> read(ConfigNode element, QueueReader.Place here) {
        Partitions own = here.queue.partitions();
        Map<String, LabelCapacity> capacities = new HashMap<>();
        for (ConfigNode child : element.children(LabelSchema.NODE_LABEL)) {
            String label = child.attribute("name");
            if (!own.allows(label)) {
                problems.add(child.line(), child.tag() + " name", label, "must be one of the queue's <node-labels>");
            }
            Amounts most = most(label, here.above);
            Amounts max = limits.read(child, LabelSchema.MAX, most, "the queues above");
            Amounts guaranteed = limits.read(child, LabelSchema.GUARANTEED, most.smaller(max), "the queue");
            if (capacities.put(label, new LabelCapacity(guaranteed, max)) != null) {
                problems.addDuplicate(child, "name", label);
            }
        }
        return capacities;
    }

    /** The smallest limits on the way from the root. */
    private static Amounts most(String label, QueueReader.@Nullable Place place) {
        Amounts most = Amounts.UNLIMITED;
        for (QueueReader.Place at = place; at != null; at = at.above) {
            LabelCapacity capacity =
                    at.queue.get(QueueSettings.LABEL_CAPACITIES).get(label);
            most = capacity == null ? most : most.smaller(capacity.max());
        }
        return most;
    }
}
