// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Spread;
import org.junit.jupiter.api.Test;

class PrintedTableTest {
    @Test
    void spreadsBelongToTheColumnBeforeThem() {
        List<Row> rows = PrintedTable.rows(
                List.of(
                        "Sort of 2,048 MB",
                        "| input | mode | median s | spread | attempts |",
                        "|---|---|---|---|---|",
                        "| even | none | 161.6 | 148.2 to 166.2 | 0 |",
                        "| even | late | 1,000 | 1 to 2,000 | +4 % |"),
                2);
        assertThat(rows)
                .containsExactly(
                        Row.of("even, none")
                                .with("median s", new Spread(161.6, 148.2, 166.2, 2))
                                .with("attempts", 0),
                        Row.of("even, late")
                                .with("median s", new Spread(1_000, 1, 2_000, 2))
                                .with("attempts", 4));
    }

    @Test
    void linesWithTheSameNameAreRepetitions() {
        List<String> table = List.of(
                "| maps | ms |",
                "|---|---|",
                "| 10 | 3 |",
                "| 10 | 1 |",
                "",
                "| maps | ms |",
                "|---|---|",
                "| 10 | 2 |");
        assertThat(PrintedTable.rows(table, 1)).containsExactly(Row.of("10").with("ms", new Spread(2, 1, 3, 3)));
    }

    @Test
    void whatAProgramPrintsIsReadAgain() {
        List<String> lines = new ArrayList<>();
        for (double seconds : new double[] {1.5, 2.5}) {
            Map<String, Double> figures = new LinkedHashMap<>();
            figures.put("leads, s", seconds);
            figures.put("lost", 0.0);
            lines.addAll(PrintedTable.lines("what is killed", "one bridge", figures));
        }
        assertThat(PrintedTable.rows(lines, 1))
                .containsExactly(Row.of("one bridge")
                        .with("leads, s", new Spread(2, 1.5, 2.5, 2))
                        .with("lost", new Spread(0, 0, 0, 2)));
    }

    @Test
    void whatIsNoTableIsRefused() {
        assertThatThrownBy(() -> PrintedTable.rows(List.of("nothing"), 1)).hasMessage("the program printed no table");
        assertThatThrownBy(() -> PrintedTable.rows(List.of("| a | b |", "|---|---|", "| x | y |"), 1))
                .hasMessage("\"y\" is no number");
        assertThatThrownBy(() -> PrintedTable.rows(List.of("| a | b |", "|---|---|", "| x |"), 1))
                .hasMessageContaining("1 cells below 2 columns");
    }
}
