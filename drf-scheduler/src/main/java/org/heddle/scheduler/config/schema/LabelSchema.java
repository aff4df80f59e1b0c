// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.schema;

import static org.heddle.scheduler.config.schema.ElementSchema.amount;
import static org.heddle.scheduler.config.schema.ElementSchema.container;
import static org.heddle.scheduler.config.schema.ElementSchema.repeated;
import static org.heddle.scheduler.config.schema.ElementSchema.required;

import java.util.List;

/** {@code <node-label>} inside a queue: the elements inside it. */
public final class LabelSchema {
    public static final ElementSchema NODE_LABEL = repeated(
            "node-label",
            null,
            "What this queue, with all queues inside it, gets of the nodes with one label. Percentages inside are of these"
                    + " nodes, not of the cluster.",
            required("name", "A node label that the queue may use."));
    public static final ElementSchema GUARANTEED = container(
            "guaranteed-resources",
            "nothing",
            "On nodes with this label the queue comes before the others, at each node heartbeat, until it has the guaranteed"
                    + " amount of one of these resource types there. Nothing is preempted for it.");
    public static final ElementSchema MAX = container(
            "max-resources",
            "no limit",
            "Maximum resources of the queue on nodes with this label. The queue's own max-resources counts, too.");
    public static final ElementSchema RESOURCE =
            amount("nodes with the label such as 50%", "Amount of one resource type");

    static final List<ElementSchema> INSIDE = List.of(GUARANTEED, MAX);

    private LabelSchema() {}
}
