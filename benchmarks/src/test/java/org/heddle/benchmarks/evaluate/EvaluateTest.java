// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Scale;
import org.heddle.benchmarks.report.MadeUpExperiment;
import org.heddle.benchmarks.result.Commit;
import org.heddle.benchmarks.result.LoadMeter;
import org.heddle.benchmarks.result.MadeUp;
import org.heddle.benchmarks.result.Result;
import org.heddle.benchmarks.result.ResultFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvaluateTest {
    @TempDir
    Path root;

    private final StringWriter printed = new StringWriter();
    private Commit commit = new Commit("0123456789ab", false);

    private int evaluate(List<Experiment> experiments, String... options) {
        List<String> arguments = new ArrayList<>(List.of("--root", root.toString()));
        arguments.addAll(Arrays.asList(options));
        Evaluate.EnvironmentProvider environments = directory ->
                new ExperimentRunner.Environment(Clock.systemUTC(), MadeUp.MACHINE, "3.5.0", commit, LoadMeter::start);
        return Evaluate.commandLine(experiments, environments)
                .setOut(new PrintWriter(printed, true))
                .setErr(new PrintWriter(printed, true))
                .execute(arguments.toArray(new String[0]));
    }

    private ResultFiles results() {
        return new ResultFiles(root.resolve("benchmarks/results"));
    }

    @Test
    void aFailureDoesNotStopTheOthers() throws IOException {
        List<Experiment> experiments = List.of(new MadeUpExperiment("bad", -1), new MadeUpExperiment("good", 100));
        assertThat(evaluate(experiments, "--quick")).isEqualTo(1);
        assertThat(printed.toString())
                .contains("[1/2] bad", "bad failed: it was told to fail", "[2/2] good", "1 of 2 experiments failed")
                .doesNotContain("IllegalStateException");
        assertThat(root.resolve("benchmarks/target/evaluate/bad/failure.log"))
                .content()
                .contains("IllegalStateException");
        assertThat(results().read("bad")).isEmpty();
        Result good = results().read("good").get(0);
        assertThat(good.provenance().seeds()).containsExactly(1L, 2L, 3L);
        assertThat(good.scale()).isEqualTo(Scale.QUICK);
        assertThat(good.provenance().commit()).isEqualTo("0123456789ab");
        assertThat(root.resolve("benchmarks/target/evaluate/report.html")).isNotEmptyFile();
    }

    @Test
    void quickLeavesOutWhatNeedsAQuietMachine() throws IOException {
        Experiment slow = new MadeUpExperiment("slow", Effort.quiet(1, 2), 1);
        Experiment fast = new MadeUpExperiment("fast", 1);
        assertThat(evaluate(List.of(slow, fast))).isZero();
        assertThat(results().read("slow")).isEmpty();
        assertThat(evaluate(List.of(slow, fast), "--quick", "slow")).isEqualTo(1);
        assertThat(printed.toString()).contains("slow is not in the quick scale: run it with --full");
        assertThat(evaluate(List.of(slow, fast), "--full", "slow")).isZero();
        assertThat(results().read("slow")).hasSize(1);
        assertThat(results().read("fast")).hasSize(1);
    }

    @Test
    void compareFailsBeyondTheNoiseBands() throws IOException {
        assertThat(evaluate(List.of(new MadeUpExperiment("one", 100)), "--quick", "--compare"))
                .isZero();
        assertThat(evaluate(List.of(new MadeUpExperiment("one", 102)), "--quick", "--compare"))
                .isZero();
        assertThat(evaluate(List.of(new MadeUpExperiment("one", 120)), "--quick"))
                .isZero();
        assertThat(evaluate(List.of(new MadeUpExperiment("one", 120)), "--compare"))
                .isEqualTo(1);
        assertThat(printed.toString()).contains("one, none, job, s: 102.000 before, 120.000 now");
        assertThat(results().read("one")).hasSize(3);
    }

    @Test
    void aResultOfAChangedTreeIsNotForPublication() throws IOException {
        assertThat(evaluate(List.of(new MadeUpExperiment("one", 100)), "--quick"))
                .isZero();
        commit = new Commit("0123456789ab", true);
        assertThat(evaluate(List.of(new MadeUpExperiment("one", 200)), "--quick", "--compare"))
                .isEqualTo(1);
        assertThat(printed.toString())
                .contains("one lacks a source tree without changes since the commit")
                .contains("one, none, job, s: 100.000 before, 200.000 now");
        assertThat(results().read("one")).hasSize(1);
        assertThat(new ResultFiles(root.resolve("benchmarks/target/evaluate/unpublished")).read("one"))
                .hasSize(1);
    }

    @Test
    void listNamesWhatThereIsAndRunsNothing() throws IOException {
        assertThat(evaluate(List.of(new MadeUpExperiment("one", 100)), "--list"))
                .isZero();
        assertThat(printed.toString()).contains("one", "quick, full", "Made up: one");
        assertThat(root.resolve("benchmarks")).doesNotExist();
        assertThat(results().read("one")).isEmpty();
    }

    @Test
    void anUnknownNameIsASentence() {
        assertThat(evaluate(List.of(new MadeUpExperiment("one", 100)), "two")).isEqualTo(2);
        assertThat(printed.toString()).contains("experiment two is unknown: use some of one");
        assertThat(evaluate(List.of(new MadeUpExperiment("one", 100)), "--quick", "--full"))
                .isEqualTo(2);
    }

    @Test
    void everyExperimentSaysWhatItIs() {
        Set<String> names = new HashSet<>();
        double quickMinutes = 0;
        for (Experiment experiment : Experiments.all()) {
            Description description = experiment.description();
            assertThat(description.name()).matches("[a-z0-9]+(-[a-z0-9]+)*");
            assertThat(names.add(description.name())).as(description.name()).isTrue();
            assertThat(description.title()).isNotBlank();
            assertThat(description.difference())
                    .as(description.name())
                    .endsWith(".")
                    .hasSizeGreaterThan(30);
            assertThat(description.figure().isEmpty())
                    .as(description.name())
                    .isEqualTo(description.paper() == Paper.NONE);
            assertThat(experiment.effort().repetitions(Scale.FULL))
                    .as(description.name())
                    .isPositive();
            assertThat(experiment.effort().isIn(Scale.QUICK)
                            && experiment.effort().timed())
                    .as(description.name() + " needs a quiet machine and is quick")
                    .isFalse();
            quickMinutes += experiment.effort().minutes(Scale.QUICK);
        }
        assertThat(quickMinutes).as("minutes of the quick scale").isLessThan(20);
    }
}
