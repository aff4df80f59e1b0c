// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.program;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Spread;

/**
 * Tables in Markdown: measuring programs print them, and experiments read them. A column {@code spread} with cells such
 * as {@code 1.5 to 2} belongs to the column before it. Lines with the same name are repetitions of one row.
 */
public final class PrintedTable {
    private static final String SPREAD = "spread";
    private static final Pattern RANGE = Pattern.compile("(\\S+) to (\\S+)");
    private static final Pattern RULE = Pattern.compile("\\|(-+\\|)+");

    private final Map<String, Map<String, List<Spread>>> rows = new LinkedHashMap<>();

    private PrintedTable() {}

    /**
     * A table with one line, to print.
     *
     * @param label head of the column with the name
     * @param figures by column, in the order of the columns
     */
    public static String of(String label, String name, Map<String, Double> figures) {
        StringBuilder head = new StringBuilder("| " + label + " |");
        StringBuilder line = new StringBuilder("| " + name + " |");
        figures.forEach((column, value) -> {
            head.append(' ').append(column).append(" |");
            line.append(String.format(Locale.ROOT, " %.3f |", value));
        });
        return String.join("\n", head, "|" + "---|".repeat(figures.size() + 1), line);
    }

    /**
     * The rows of all tables in the lines; other lines do not matter.
     *
     * @param lines what a program printed
     * @param labels how many columns at the left are the row's name
     * @throws IllegalArgumentException if there is no table, or a cell is no number
     */
    public static List<Row> rows(List<String> lines, int labels) {
        PrintedTable table = new PrintedTable();
        List<String> head = List.of();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            boolean isHead = i + 1 < lines.size()
                    && RULE.matcher(lines.get(i + 1).strip()).matches();
            if (line.startsWith("|") && isHead) {
                head = cells(line);
            } else if (line.startsWith("|") && !RULE.matcher(line).matches()) {
                table.add(head, cells(line), labels);
            }
        }
        if (table.rows.isEmpty()) {
            throw new IllegalArgumentException("the program printed no table");
        }
        return table.rows.entrySet().stream()
                .map(row -> row(row.getKey(), row.getValue()))
                .toList();
    }

    private static List<String> cells(String line) {
        String inner = line.substring(1, line.endsWith("|") ? line.length() - 1 : line.length());
        return Arrays.stream(inner.split("\\|", -1)).map(String::strip).toList();
    }

    private void add(List<String> head, List<String> cells, int labels) {
        if (cells.size() != head.size()) {
            throw new IllegalArgumentException(
                    "a line has " + cells.size() + " cells below " + head.size() + " columns: " + cells);
        }
        Map<String, List<Spread>> figures =
                rows.computeIfAbsent(String.join(", ", cells.subList(0, labels)), name -> new LinkedHashMap<>());
        for (int i = labels; i < cells.size(); i++) {
            if (head.get(i).equals(SPREAD)) {
                continue;
            }
            double value = number(cells.get(i));
            boolean spread = i + 1 < head.size() && head.get(i + 1).equals(SPREAD);
            figures.computeIfAbsent(head.get(i), column -> new ArrayList<>())
                    .add(spread ? range(value, cells.get(i + 1)) : Spread.of(value));
        }
    }

    private static Row row(String name, Map<String, List<Spread>> figures) {
        Row row = Row.of(name);
        for (Map.Entry<String, List<Spread>> figure : figures.entrySet()) {
            List<Spread> values = figure.getValue();
            row = row.with(
                    figure.getKey(),
                    values.size() == 1
                            ? values.get(0)
                            : Spread.of(values.stream().map(Spread::median).toList()));
        }
        return row;
    }

    private static Spread range(double median, String text) {
        Matcher range = RANGE.matcher(text);
        if (!range.matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is no spread such as \"1.5 to 2\"");
        }
        return new Spread(median, number(range.group(1)), number(range.group(2)), 2);
    }

    /** The number in a cell, with or without a sign, commas between thousands, and a percent sign. */
    private static double number(String cell) {
        try {
            return Double.parseDouble(
                    cell.replace("%", "").replace(",", "").replace("+", "").strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("\"" + cell + "\" is no number", e);
        }
    }
}
