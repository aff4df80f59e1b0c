// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.packing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.heddle.benchmarks.rm.Contestant;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;
import org.junit.jupiter.api.Test;

class ExecutedPlansTest {
    private static final Problem JOBS = PacedJobs.all(Path.of("jobs.jar"));

    @Test
    void savingsAreThoseAgainstTheSequentialPlan() {
        Map<String, Double> planned = Map.of("sequential plan", 100.0, "phased plan", 60.0, "malleable plan", 50.0);
        Map<String, Double> executed = Map.of("sequential plan", 90.0, "phased plan", 72.0, "at once", 81.0);
        assertThat(ExecutedPlans.figures(planned, executed, "phased plan"))
                .containsExactly(
                        entry("planned, s", 60.0),
                        entry("executed, s", 72.0),
                        entry("executed beside planned, %", 100 * (72.0 / 60 - 1)),
                        entry("planned saving, %", 40.0),
                        entry("executed saving, %", 100 * (1 - 72.0 / 90)));
        assertThat(ExecutedPlans.figures(planned, executed, "malleable plan"))
                .containsExactly(entry("planned, s", 50.0), entry("planned saving, %", 50.0));
        assertThat(ExecutedPlans.figures(planned, executed, "at once"))
                .containsExactly(entry("executed, s", 81.0), entry("executed saving, %", 100 * (1 - 81.0 / 90)));
    }

    @Test
    void atOnceAllJobsAreInOnePhase() {
        Way disks = Way.taskPerDisk(Contestant.FAIR_DEFAULT, JOBS);
        assertThat(disks.id()).isEqualTo("at-once-a-task-per-disk-fair-default");
        assertThat(disks.plan().phases()).hasSize(1);
        assertThat(disks.plan().phases().get(0).assignments())
                .extracting(Assignment::role)
                .containsOnly(Role.NORMAL)
                .hasSameSizeAs(JOBS.jobs());
    }

    @Test
    void withCoresOnlyCopiesRequestDisks() {
        Way cores = Way.disksAndCores(Contestant.CAPACITY_DEFAULT, JOBS);
        for (Assignment assignment : cores.plan().phases().get(0).assignments()) {
            Job job = cores.problem().jobs().stream()
                    .filter(one -> one.name().equals(assignment.job()))
                    .findFirst()
                    .orElseThrow();
            assertThat(assignment.role()).isEqualTo(job.cpu() ? Role.EXTRA : Role.NORMAL);
            assertThat(Objects.requireNonNull(job.command()).conf())
                    .containsEntry("mapreduce.map.resource.half-core", job.cpu() ? "2" : "1")
                    .containsKey("mapreduce.job.name");
        }
    }
}
