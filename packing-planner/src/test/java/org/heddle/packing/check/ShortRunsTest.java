// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Phase;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PlanKind;
import org.heddle.packing.model.PowerModel;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;
import org.heddle.packing.model.Vm;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A job that takes no time beside others, in a plan without phases: its start and end are the same number. */
class ShortRunsTest {
    private static final double LONG = 4e9;

    /** Two slots: a long job on both, a short one on both at this time, and another long one on one or both of them. */
    @ParameterizedTest(name = "short run at {0} times the first one, last job on {1} VMs from {2}")
    @CsvSource({"1, 2, 1, true", "1, 1, 1, true", "0.5, 2, 1, false", "1, 2, 0.9, false", "1.5, 2, 1, false"})
    void aRunThatTakesNoTimeOverlapsOnlyRunsAroundIt(double at, int vms, double last, boolean accepted) {
        Problem problem = new Problem(
                "short", 1, 2, 1, new Alpha(1.3), List.of(job("first", LONG), job("short", 1e-20), job("last", LONG)));
        List<Assignment> assignments = List.of(
                assignment("first", 2, 0, LONG),
                assignment("short", 2, at * LONG, 1e-20),
                assignment("last", vms, last * LONG, LONG));
        double makespan = (1 + last) * LONG;
        Plan plan = new Plan(
                "short",
                "test",
                PlanKind.NONPHASED,
                makespan,
                makespan,
                "test",
                List.of(new Phase(0, makespan, assignments)),
                List.of());
        assertThat(PlanChecker.check(problem, plan).violations().stream()
                        .filter(violation -> violation.rule() == Rule.CAPACITY)
                        .toList())
                .hasSize(accepted ? 0 : 1);
    }

    private static Job job(String name, double seconds) {
        return new Job(name, new PowerModel(seconds, 0), false, false);
    }

    private static Assignment assignment(String job, int vms, double start, double seconds) {
        List<Vm> placed = new ArrayList<>();
        for (int disk = 0; disk < vms; disk++) {
            placed.add(new Vm(0, disk));
        }
        return new Assignment(job, Role.NORMAL, vms, start, seconds, 1, placed);
    }
}
