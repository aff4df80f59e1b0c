// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Plot;
import org.heddle.benchmarks.experiment.Published;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Scale;
import org.heddle.benchmarks.experiment.Spread;
import org.heddle.benchmarks.result.Load;
import org.heddle.benchmarks.result.Provenance;
import org.heddle.benchmarks.result.Result;
import org.jspecify.annotations.Nullable;

/**
 * What is said of one experiment, in the page and in the report.
 *
 * @param name of the experiment
 * @param title heading
 * @param command which measures it
 * @param about the paper and the differences, a paragraph each
 * @param tables the figures; none if there is no result yet
 * @param goals whether they were met; null if the experiment has none
 * @param origin how it was measured; without a result, that it was not
 * @param warning why the figures may be wrong; empty if nothing is known
 * @param plots pictures
 */
record Section(
        String name,
        String title,
        String command,
        List<String> about,
        List<Table> tables,
        @Nullable Table goals,
        String origin,
        String warning,
        List<Plot> plots) {
    static final String NOT_MEASURED = "Not measured yet.";

    static Section of(Experiment experiment, @Nullable Result result) {
        Description description = experiment.description();
        Scale scale =
                result != null ? result.scale() : experiment.effort().isIn(Scale.QUICK) ? Scale.QUICK : Scale.FULL;
        String command = "benchmarks/bin/evaluate --" + scale.word() + " " + description.name();
        if (result == null) {
            return new Section(
                    description.name(),
                    description.title(),
                    command,
                    about(description, Set.of()),
                    List.of(),
                    GoalTable.of(experiment.goals(), null),
                    NOT_MEASURED,
                    "",
                    List.of());
        }
        Set<String> rows = result.measurement().rows().stream().map(Row::name).collect(Collectors.toSet());
        return new Section(
                description.name(),
                description.title(),
                command,
                about(description, rows),
                result.measurement().parts().stream()
                        .map(part -> table(description, part))
                        .toList(),
                GoalTable.of(experiment.goals(), result.measurement()),
                origin(result),
                experiment.effort().timed() ? warning(result.provenance()) : "",
                experiment.plots(result.measurement()));
    }

    /** The paper and what it prints; numbers that have a row of their own stand in the table. */
    private static List<String> about(Description description, Set<String> rows) {
        List<String> about = new ArrayList<>();
        if (description.paper() != Paper.NONE) {
            about.add("After " + description.paper().title() + ", " + description.figure() + ".");
        }
        String numbers = description.published().stream()
                .filter(published -> !rows.contains(published.row()))
                .map(Section::number)
                .collect(Collectors.joining("; "));
        if (!numbers.isEmpty()) {
            about.add("The paper prints: " + numbers + ".");
        }
        about.add((description.paper() == Paper.NONE ? "" : "What differs: ") + description.difference());
        return about;
    }

    private static String number(Published published) {
        String row = published.row().isEmpty() ? "" : published.row() + ": ";
        return row + published.text() + " (" + published.place() + ")";
    }

    private static Table table(Description description, List<Row> rows) {
        Set<String> columns = new LinkedHashSet<>();
        rows.forEach(row -> columns.addAll(row.figures().keySet()));
        boolean compared =
                rows.stream().anyMatch(row -> !paper(description, row).isEmpty());
        List<String> head = new ArrayList<>(List.of(""));
        head.addAll(columns);
        if (compared) {
            head.add("paper");
        }
        List<List<String>> cells = new ArrayList<>();
        for (Row row : rows) {
            List<String> line = new ArrayList<>(List.of(row.name()));
            for (String column : columns) {
                Spread spread = row.figures().get(column);
                line.add(spread == null ? "" : Numbers.text(spread));
            }
            if (compared) {
                line.add(paper(description, row));
            }
            cells.add(line);
        }
        return new Table(head, cells);
    }

    private static String paper(Description description, Row row) {
        return description.published().stream()
                .filter(published -> published.row().equals(row.name()))
                .map(published -> published.text() + " (" + published.place() + ")")
                .collect(Collectors.joining("; "));
    }

    private static String origin(Result result) {
        Provenance from = result.provenance();
        String repeated = from.repetitions() == 1
                ? "one run"
                : "medians of " + from.repetitions() + " repetitions, smallest and largest values in brackets";
        return String.format(
                Locale.ROOT,
                "Measured at commit %s on %s: %s scale, %s, %s in all. %s; Hadoop %s; load %.1f before and %.1f during the run.",
                from.commit(),
                from.date(),
                result.scale().word(),
                repeated,
                Numbers.duration(from.seconds()),
                from.machine().text(),
                from.hadoop(),
                from.load().before(),
                from.load().during());
    }

    private static String warning(Provenance from) {
        Load load = from.load();
        return load.fromOthers(from.machine().cores())
                ? String.format(
                        Locale.ROOT,
                        "Other programs used %.2f cores meanwhile: read the order, not the values.",
                        load.othersCores())
                : "";
    }
}
