// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.drf;

import java.util.List;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Published;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;

/** The example of the Nexus report under several share orders (its Figure 2), and that of the DRF paper. */
public final class ExamplesExperiment implements Experiment {
    private static final String DRF_300 = "300 CPUs, 300 GB, tasks of (1, 3) and (1, 1), drf";
    private static final String ASSET_300 = "the same, asset";
    private static final String UTILIZATION_300 = "the same, max-utilization";
    private static final String OPPOSITE = "300 CPUs, 300 GB, tasks of (1, 9) and (9, 1), drf";
    private static final String NSDI = "9 CPUs, 18 GB, tasks of (1, 4) and (3, 1), drf";

    @Override
    public Description description() {
        return new Description(
                "drf-examples",
                "DRF: the papers' examples, task for task",
                Paper.NEXUS,
                "section 4 and Figure 2, and the example of the DRF paper (NSDI 2011)",
                List.of(
                        new Published(DRF_300, "50 and 150 tasks, both shares 0.5", "Nexus 4.1, Figure 2"),
                        new Published(ASSET_300, "60 and 120 tasks", "Nexus 4, Figure 2"),
                        new Published(OPPOSITE, "both shares 0.9", "Nexus 4.1"),
                        new Published(NSDI, "3 and 2 tasks", "DRF 4.1")),
                "The share engine fills one node with whole tasks.");
    }

    @Override
    public Effort effort() {
        return Effort.simulated(0.05, 1, 0.05, 1);
    }

    @Override
    public Measurement run(Run run) {
        return Measurement.of(List.of(
                row(DRF_300, canonical("drf")),
                row(ASSET_300, canonical("asset")),
                row(UTILIZATION_300, canonical("max-utilization")),
                row(OPPOSITE, new OneNode("drf", 300, 300).user("a", 1, 9).user("b", 9, 1)),
                row(NSDI, new OneNode("drf", 9, 18).user("a", 1, 4).user("b", 3, 1))));
    }

    private static OneNode canonical(String order) {
        return new OneNode(order, 300, 300).user("a", 1, 3).user("b", 1, 1);
    }

    private static Row row(String name, OneNode node) {
        node.fill();
        return Row.of(name)
                .with("tasks of the first", (double) node.tasks(0))
                .with("tasks of the second", (double) node.tasks(1))
                .with("dominant share of the first", node.dominantShare(0))
                .with("dominant share of the second", node.dominantShare(1))
                .with("CPUs in use", node.used(0))
                .with("memory in use", node.used(1));
    }
}
