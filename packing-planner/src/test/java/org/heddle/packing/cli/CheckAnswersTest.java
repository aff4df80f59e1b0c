// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.heddle.packing.SearchSteps;
import org.heddle.packing.io.PlanFile;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Certificate;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PowerModel;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.phased.PhasedPlanner;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code check} answers to bounds that it can neither prove nor refute. Jobs of 100 s on any number of VMs, three rounds
 * of them: the shortest plan takes 300 s, so no search finds a plan below the claim of 290 s, whatever its time.
 */
class CheckAnswersTest {
    @TempDir
    private Path directory;

    /** A plan of two full rounds of jobs and one job more. */
    private Path plan(int slots, @Nullable Certificate certificate) throws IOException {
        List<Job> jobs = new ArrayList<>();
        for (int j = 0; j <= 2 * slots; j++) {
            jobs.add(new Job("j" + j, new PowerModel(100, 0), false, false));
        }
        Problem problem = new Problem("rounds", slots, 1, 1, new Alpha(1.3), jobs);
        Plan shortest = new PhasedPlanner().plan(problem, SearchSteps.limit(2_000));
        assertThat(shortest.makespan()).isEqualTo(300);
        Plan claiming = shortest.named("phased", 290, "claimed by the test").certified(certificate);
        return Files.writeString(
                directory.resolve("plan.json"),
                PlanFile.write(problem, claiming, 1).toPrettyString());
    }

    private static String check(Object... args) {
        StringWriter out = new StringWriter();
        int code = HeddlePack.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(out))
                .execute(List.of(args).stream().map(Object::toString).toArray(String[]::new));
        return out + "exit " + code;
    }

    @Test
    void aBoundWithoutCertificateThatIsTooLargeToTryIsRefused() throws IOException {
        Path plan = plan(12, null);
        assertThat(check("check", "--time-limit", "0.2", plan))
                .contains("290.000000 s (claimed by the test) is claimed without certificate: "
                        + "25 jobs on 12 slots are too many to try all phased plans; the plan may still run")
                .contains("refused (1 violations)")
                .endsWith("exit 1");
    }

    @Test
    void aCertificateThatProvesLessIsNamed() throws IOException {
        Path nothing = plan(12, Certificate.of(Certificate.Kind.PHASE_PRICES, Collections.nCopies(25, 0.0)));
        assertThat(check("check", "--time-limit", "2", nothing))
                .contains("is claimed without certificate: the one in the file proves nothing")
                .endsWith("exit 1");
        Path less = plan(12, Certificate.of(Certificate.Kind.PHASE_PRICES, Collections.nCopies(25, 1.0)));
        assertThat(check("check", "--time-limit", "2", less))
                .containsPattern("is claimed without certificate: the one in the file proves \\d+[.]\\d+ s only")
                .endsWith("exit 1");
    }

    @Test
    void aBoundThatCouldBeDecidedWithMoreTimeIsNotConfirmed() throws IOException {
        Path plan = plan(9, null); // 19 jobs: the search over all sets of them takes minutes
        assertThat(check("check", "--time-limit", "0.05", plan))
                .contains("accepted: makespan 300.000000 s")
                .contains("lower bound 290.000000 s is not confirmed within 0.05 s: rerun with a longer --time-limit")
                .endsWith("exit 0");
        assertThat(check("check", "--time-limit", "0.05", "--require-proof", plan))
                .contains("is not confirmed within 0.05 s")
                .endsWith("exit 1");
    }
}
