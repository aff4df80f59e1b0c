// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.malleable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Plan;
import org.heddle.packing.solve.JobTable;

/** A plan with fixed VM counts as mixes: one for each time between two starts or ends. */
final class TimeSlices {
    private TimeSlices() {}

    static List<Part> of(JobTable table, Plan rigid) {
        Map<String, Integer> index = new HashMap<>();
        for (int j = 0; j < table.jobs; j++) {
            index.put(table.problem.jobs().get(j).name(), j);
        }
        List<Assignment> all =
                rigid.phases().stream().flatMap(p -> p.assignments().stream()).toList();
        TreeSet<Double> borders = new TreeSet<>();
        for (Assignment assignment : all) {
            borders.add(assignment.start());
            borders.add(assignment.end());
        }
        List<Part> parts = new ArrayList<>();
        double from = 0;
        for (double to : borders) {
            // Rounding makes two borders of one; the shorter part would run jobs side by side that do not fit.
            if (to - from > 1e-9 * rigid.makespan()) {
                Mix mix = new Mix(table.jobs);
                for (Assignment assignment : all) {
                    int j = index.getOrDefault(assignment.job(), 0);
                    if (assignment.start() < (from + to) / 2 && assignment.end() > (from + to) / 2) {
                        mix.widths[j] = assignment.vms();
                        mix.roles[j] = assignment.role();
                    }
                }
                parts.add(new Part(mix, to - from));
                from = to;
            }
        }
        return parts;
    }
}
