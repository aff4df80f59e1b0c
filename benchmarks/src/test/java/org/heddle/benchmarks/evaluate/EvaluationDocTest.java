// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.report.Evaluation;
import org.heddle.benchmarks.report.EvaluationPage;
import org.heddle.benchmarks.result.Result;
import org.heddle.benchmarks.result.ResultFiles;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/evaluation.md} says what the kept results say, and every kept result says where it comes from. The
 * sections are redrawn by {@code benchmarks/bin/evaluate --write}.
 */
class EvaluationDocTest {
    private static final Path ROOT = Path.of("..");
    private static final Path PAGE = ROOT.resolve("docs/evaluation.md");
    private static final Path IMAGES = ROOT.resolve("docs/images");
    private static final Path RESULTS = ROOT.resolve("benchmarks/results");

    private final Evaluation evaluation =
            new Evaluation(Experiments.all(), Experiments.planned(), new ResultFiles(RESULTS));

    @Test
    void thePageAgreesWithTheResults() throws IOException {
        if (Boolean.getBoolean("heddle.docs.write")) {
            evaluation.write(PAGE, IMAGES);
        }
        String text = Files.readString(PAGE, StandardCharsets.UTF_8);
        assertThat(text)
                .as("after a change: benchmarks/bin/evaluate --write, or ./mvnw -pl benchmarks -am test"
                        + " -Dtest=EvaluationDocTest -Dsurefire.failIfNoSpecifiedTests=false -Dheddle.docs.write=true")
                .isEqualTo(new EvaluationPage(text).with(evaluation.markdown()).text());
    }

    @Test
    void thePicturesOfThePageAreThereAndNoOthers() throws IOException {
        try (Stream<Path> files = Files.list(IMAGES)) {
            List<String> drawn = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("evaluation-"))
                    .toList();
            assertThat(drawn).containsExactlyInAnyOrderElementsOf(evaluation.images());
        }
    }

    @Test
    void everyResultSaysWhereItComesFrom() throws IOException {
        List<String> names = Experiments.all().stream().map(Experiment::name).toList();
        ResultFiles results = new ResultFiles(RESULTS);
        try (Stream<Path> files = Files.list(RESULTS)) {
            for (Path file :
                    files.filter(one -> one.toString().endsWith(".jsonl")).toList()) {
                String name = file.getFileName().toString().replace(".jsonl", "");
                assertThat(names).as("%s has an experiment", file).contains(name);
                for (Result result : results.read(name)) {
                    assertThat(result.provenance().missing())
                            .as(
                                    "what the result of %s in %s lacks",
                                    result.provenance().date(), file)
                            .isEmpty();
                }
            }
        }
    }
}
