// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MeasurementTest {
    private static Row row(String name, String... columns) {
        Row row = Row.of(name);
        for (String column : columns) {
            row = row.with(column, 1);
        }
        return row;
    }

    private static List<List<String>> parts(Row... rows) {
        return Measurement.of(List.of(rows)).parts().stream()
                .map(part -> part.stream().map(Row::name).toList())
                .toList();
    }

    @Test
    void rowsWithoutACommonColumnStandInDifferentParts() {
        assertThat(parts(row("cost", "us"), row("failover", "s"), row("cost again", "us", "bytes")))
                .containsExactly(List.of("cost", "cost again"), List.of("failover"));
    }

    @Test
    void aRowWithColumnsOfTwoPartsJoinsThem() {
        assertThat(parts(row("cost", "us"), row("failover", "s"), row("both", "us", "s")))
                .containsExactly(List.of("cost", "failover", "both"));
    }

    @Test
    void aRowWithoutFiguresIsKept() {
        assertThat(parts(row("cost", "us"), row("nothing"), row("failover", "s")).stream()
                        .mapToInt(List::size)
                        .sum())
                .isEqualTo(3);
    }
}
