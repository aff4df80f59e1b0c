// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PowerModel;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;
import org.heddle.packing.run.JobStatus;
import org.heddle.packing.run.RunOutcome;
import org.heddle.settings.command.CommandException;
import org.junit.jupiter.api.Test;

/** The cluster of these tests needs 1.5 times the seconds of the model for the host, and 1.2 times for the extra. */
class PairRunsTest {
    /** 10 s on 4 disks, and 8 s as two extras. */
    private static final Problem PROBLEM = new Problem(
            "p",
            2,
            2,
            2,
            new Alpha(1.1, Map.of(new Alpha.Pair("sort", "other"), 1.7)),
            List.of(
                    new Job("sort", new PowerModel(40, -1), false, true),
                    new Job("sums", new PowerModel(16, -1), true, false),
                    new Job("other", new PowerModel(8, -1), false, false)));

    private final List<Plan> plans = new ArrayList<>();
    private final List<String> runIds = new ArrayList<>();
    private final StringWriter told = new StringWriter();
    private JobStatus.State state = JobStatus.State.SUCCEEDED;

    private RunOutcome run(String runId, Problem problem, Plan plan) {
        runIds.add(runId);
        plans.add(plan);
        List<RunOutcome.JobOutcome> ends = new ArrayList<>();
        for (Assignment each : plan.phases().get(0).assignments()) {
            Job job = problem.jobs().stream()
                    .filter(j -> j.name().equals(each.job()))
                    .findFirst()
                    .orElseThrow();
            double seconds = job.model().seconds(each.vms()) * (each.role() == Role.HOST ? 1.5 : 1.2);
            long end = 1_000 + (long) (1_000 * seconds);
            JobStatus status = new JobStatus(runId, "application_1", state, 1_000, end, 0, 1, "out of memory");
            ends.add(new RunOutcome.JobOutcome(job.name(), 0, 1, each.vms(), 10, 1_000, status, 3, end));
        }
        return new RunOutcome(ends, List.of(), Double.NaN);
    }

    private Problem measure(Problem problem, Set<String> only, int repetitions) throws Exception {
        return new PairRuns(this::run, new PrintWriter(told)).measure(problem, only, "profile", repetitions);
    }

    @Test
    void theHostHasAllDisksAndTheExtraTheRoomBesideIt() throws Exception {
        measure(PROBLEM, Set.of(), 1);
        assertThat(plans).hasSize(1);
        assertThat(plans.get(0).phases().get(0).assignments())
                .extracting(Assignment::job, Assignment::role, Assignment::vms)
                .containsExactly(tuple("sort", Role.HOST, 4), tuple("sums", Role.EXTRA, 2));
    }

    @Test
    void writesTheLargerStretchAndKeepsWhatWasThere() throws Exception {
        Problem measured = measure(PROBLEM, Set.of(), 3);
        // The host ran 5.4 of its 15 s alone, and needed the other 9.6 s for 4.6 s of work.
        assertThat(measured.alpha().of("sort", "sums")).isCloseTo(9.6 / 4.6, within(1e-9));
        assertThat(measured.alpha().of("sort", "other")).isEqualTo(1.7);
        assertThat(measured.alpha().constant()).isEqualTo(1.1);
        assertThat(runIds).containsExactly("profile-pair-0-1-0", "profile-pair-0-1-1", "profile-pair-0-1-2");
        assertThat(told.toString())
                .contains("sort at n = 4 with sums at n = 2 beside it: 15.00 s and 9.60 s, 9.60 s together")
                .contains("alpha of sort with sums: 2.087, 90 % between 2.087 and 2.087");
    }

    @Test
    void aJobThatIsBothNeedsAnotherOneAsItsPartner() throws Exception {
        Problem both = PROBLEM.withJobs(List.of(
                new Job("x", new PowerModel(40, -1), true, true), new Job("y", new PowerModel(20, -1), true, true)));
        Problem measured = measure(both, Set.of(), 1);
        assertThat(measured.alpha().measured())
                .containsKeys(new Alpha.Pair("x", "y"), new Alpha.Pair("y", "x"))
                .doesNotContainKey(new Alpha.Pair("x", "x"));
    }

    @Test
    void saysWhenThereIsNothingToMeasure() throws Exception {
        assertThat(measure(PROBLEM, Set.of("sort", "other"), 1).alpha()).isEqualTo(PROBLEM.alpha());
        assertThat(told.toString()).contains("no pair to run");
    }

    @Test
    void aLongJobBesideAShortOneShowsNothing() throws Exception {
        Problem uneven = PROBLEM.withJobs(List.of(
                new Job("long", new PowerModel(4_000, -1), false, true),
                new Job("short", new PowerModel(2, -1), true, false)));
        Problem measured = measure(uneven, Set.of(), 1);
        // The short job shows its stretch, the long one does not.
        assertThat(measured.alpha().of("long", "short")).isCloseTo(1.2, within(1e-9));
    }

    @Test
    void aJobThatFailsEndsTheProfile() {
        state = JobStatus.State.FAILED;
        assertThatThrownBy(() -> measure(PROBLEM, Set.of(), 1))
                .isInstanceOf(CommandException.class)
                .hasMessage("job sort failed beside another one: out of memory");
    }
}
