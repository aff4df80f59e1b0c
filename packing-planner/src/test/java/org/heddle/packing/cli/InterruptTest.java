// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.heddle.packing.check.PlanChecker;
import org.heddle.packing.io.PlanFile;
import org.heddle.packing.io.ProblemFile;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.PowerModel;
import org.heddle.packing.model.Problem;
import org.heddle.testkit.Await;
import org.heddle.testkit.ProcessDaemon;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ctrl-C as a shell sends it: a signal to a process of its own. */
class InterruptTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"phased", "nonphased", "malleable"})
    void theBestPlanSoFarIsPrinted(String planner) throws Exception {
        Random random = new Random(7);
        List<Job> jobs = new ArrayList<>();
        for (int j = 0; j < 60; j++) {
            jobs.add(new Job(
                    "j" + j,
                    new PowerModel(100 + 900 * random.nextDouble(), -0.3 - random.nextDouble()),
                    j % 2 == 0,
                    j % 3 == 0));
        }
        Path file = directory.resolve("problem.json");
        Files.writeString(
                file,
                ProblemFile.write(new Problem("long", 20, 2, 2, new Alpha(1.3), jobs))
                        .toPrettyString());
        Path out = directory.resolve("out.json");
        // A process in the background ignores the signal, and its children would ignore it, too.
        Process process = new ProcessBuilder(
                        "env",
                        "--default-signal=INT",
                        System.getProperty("java.home") + "/bin/java",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        HeddlePack.class.getName(),
                        "plan",
                        "--planner",
                        planner,
                        "--time-limit",
                        "300",
                        "--json",
                        file.toString())
                .redirectOutput(out.toFile())
                .start();
        try (BufferedReader err =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
            assertThat(err.readLine()).contains("makespan", "bound", "gap");
            ProcessDaemon.signal(process, "INT");
            List<String> rest = err.lines().toList();
            assertThat(rest).last().asString().contains("stopped early; this is the best plan so far");
        }
        Await.exit("the planner, whose limit is 300 s", Duration.ofSeconds(30), process);
        PlanFile.Loaded loaded = PlanFile.read(out, System.in);
        assertThat(PlanChecker.check(loaded.problem(), loaded.plan()).violations())
                .isEmpty();
        assertThat(loaded.plan().makespan())
                .isGreaterThanOrEqualTo(loaded.plan().lowerBound());
    }
}
