// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Scale;
import org.heddle.benchmarks.experiment.Spread;
import org.heddle.benchmarks.result.MadeUp;
import org.heddle.benchmarks.result.Result;
import org.heddle.benchmarks.result.ResultFiles;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvaluationTest {
    private static final List<Planned> PLANNED = List.of(new Planned("a figure", Paper.NEXUS, "Figure 9", "nothing"));
    private static final String PAGE = """
            # Page
            By hand.
            <!-- evaluate: overview -->
            old
            <!-- end of overview -->
            <!-- evaluate: one -->
            <!-- end of one -->
            By hand, too.
            """;

    @TempDir
    Path directory;

    @BeforeAll
    static void withoutAScreen() {
        System.setProperty("java.awt.headless", "true");
    }

    private Evaluation evaluation(Effort effort) {
        return new Evaluation(
                List.of(new MadeUpExperiment("one", effort, 100)),
                PLANNED,
                new ResultFiles(directory.resolve("results")));
    }

    private Evaluation evaluation() {
        return evaluation(Effort.simulated(1, 3, 2, 5));
    }

    private void measured(Result result) throws IOException {
        new ResultFiles(directory.resolve("results")).append(result);
    }

    @Test
    void withoutAResultASectionSaysSo() throws IOException {
        Map<String, String> sections = evaluation().markdown();
        assertThat(sections).containsOnlyKeys("overview", "one");
        assertThat(sections.get("one"))
                .startsWith("### Made up: one\n")
                .contains("Not measured yet. To measure it: `benchmarks/bin/evaluate --quick one`")
                .contains("none: 90 s (5.9); a <claim> & more (Figure 0, read from the figure)")
                .contains("What differs: It measures nothing.")
                .contains("| goal | wanted | seen |  |\n")
                .contains("| none: job, s | at most 100.5 | - | not measured |\n")
                .doesNotContain("|  | job");
        assertThat(sections.get("overview"))
                .contains("| quick, 60 s; full, 2 min | not measured yet |")
                .contains("| a figure | Hindman");
        assertThat(evaluation().images()).isEmpty();
    }

    @Test
    void aResultIsATableWithThePapersNumbersAndItsOrigin() throws IOException {
        measured(MadeUp.result("one", 100));
        assertThat(evaluation().markdown().get("one"))
                .contains("|  | job, s | wasted, % | paper |\n|---|---|---|---|\n")
                .contains("| none | 100 (90 to 110) |  | 90 s (5.9) |\n")
                .contains("| late | 50 | 1.50 |  |\n")
                .contains("commit 0123456789ab on 2026-11-23T18:00:00Z")
                .contains("medians of 3 repetitions")
                .contains("![Times](images/evaluation-one-times.png)")
                .doesNotContain("Other programs");
        assertThat(evaluation().images()).containsExactly("evaluation-one-times.png");
    }

    @Test
    void goalsAreJudged() throws IOException {
        measured(MadeUp.result("one", 100));
        assertThat(evaluation().markdown().get("one"))
                .contains("| none: job, s | at most 100.5 | 100 | met |\n")
                .contains("| late: wasted, % | at least 2 | 1.5 | MISSED |\n")
                .contains("| late by none | at most 0.5 | 0.5 | met |\n")
                .contains("| nobody: job, s | at most 1 | - | not measured |\n");
    }

    @Test
    void onlyATimedExperimentIsMarkedForTheLoadOfOthers() throws IOException {
        measured(new Result("one", Scale.FULL, MadeUp.disturbed(), MadeUp.measurement(100)));
        assertThat(evaluation(Effort.quiet(1, 3)).markdown().get("one"))
                .contains("**Other programs used 1.50 cores meanwhile: read the order, not the values.**");
        assertThat(evaluation().markdown().get("one")).doesNotContain("Other programs");
    }

    @Test
    void thePageIsRedrawnBetweenItsMarkersOnly() throws IOException {
        measured(MadeUp.result("one", 100));
        Path page = Files.writeString(directory.resolve("evaluation.md"), PAGE);
        evaluation().write(page, directory.resolve("images"));
        String written = Files.readString(page);
        assertThat(written)
                .startsWith("# Page\nBy hand.\n<!-- evaluate: overview -->\n| experiment |")
                .endsWith("<!-- end of one -->\nBy hand, too.\n")
                .contains("### Made up: one")
                .doesNotContain("old");
        assertThat(directory.resolve("images/evaluation-one-times.png")).isNotEmptyFile();
        evaluation().write(page, directory.resolve("images"));
        assertThat(page).hasContent(written);
    }

    @Test
    void aPageThatDoesNotFitTheExperimentsIsRefused() {
        EvaluationPage page = new EvaluationPage(PAGE);
        assertThatThrownBy(() -> page.with(Map.of("overview", "", "one", "", "two", "")))
                .hasMessageContaining("has no section for two");
        assertThatThrownBy(() -> page.with(Map.of("overview", "")))
                .hasMessageContaining("has a section one that no experiment fills");
        EvaluationPage open = new EvaluationPage(PAGE.replace("<!-- end of one -->\n", ""));
        assertThatThrownBy(() -> open.with(Map.of("overview", "", "one", "")))
                .hasMessageContaining("begins 2 sections and ends 1");
    }

    @Test
    void theReportNeedsNoOtherFile() throws IOException {
        measured(MadeUp.result("one", 100));
        Path report = directory.resolve("target/report.html");
        evaluation().writeHtml(report);
        assertThat(Files.readString(report))
                .contains("<td>100 (90 to 110)</td>")
                .contains("a &lt;claim&gt; &amp; more")
                .contains("src=\"data:image/png;base64,")
                .doesNotContain("<script")
                .doesNotContain("http://")
                .doesNotContain("https://");
    }

    @Test
    void figuresHaveThreeDigits() {
        assertThat(List.of(
                        Numbers.text(1_234.4),
                        Numbers.text(161.63),
                        Numbers.text(16.163),
                        Numbers.text(1.6163),
                        Numbers.text(0.16163),
                        Numbers.text(0.0016163),
                        Numbers.text(3),
                        Numbers.text(Double.NaN),
                        Numbers.text(Double.POSITIVE_INFINITY)))
                .containsExactly("1,234", "162", "16.2", "1.62", "0.162", "0.00162", "3", "-", "infinite");
        assertThat(Numbers.text(new Spread(2, 1, 3, 3))).isEqualTo("2 (1 to 3)");
    }

    @Test
    void whatIsComparedWithALimitHasFourDigits() {
        assertThat(List.of(
                        Numbers.digits(0.99984),
                        Numbers.digits(1.25434),
                        Numbers.digits(12_345.6),
                        Numbers.digits(0),
                        Numbers.digits(Double.NaN),
                        Numbers.digits(Double.POSITIVE_INFINITY)))
                .containsExactly("0.9998", "1.254", "12350", "0", "-", "infinite");
    }

    @Test
    void linesAreBrokenBetweenWords() {
        String text = "word ".repeat(60).strip();
        assertThat(Markdown.wrapped(text).lines()).allMatch(line -> line.length() <= 120);
        assertThat(Markdown.wrapped(text).replace('\n', ' ').strip()).isEqualTo(text);
    }
}
