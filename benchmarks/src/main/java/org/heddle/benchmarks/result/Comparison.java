// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.result;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.heddle.benchmarks.experiment.Band;
import org.heddle.benchmarks.experiment.Bands;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Spread;

/**
 * Two results of one experiment, the earlier and the later one.
 *
 * @param outside figures beyond their noise bands, and rows and columns that only one of them has; a sentence each
 * @param notes why a comparison may say little; a sentence each
 */
public record Comparison(List<String> outside, List<String> notes) {
    /** Compares the medians. */
    public static Comparison of(Result earlier, Result later, Bands bands, boolean timed) {
        List<String> outside = new ArrayList<>();
        Map<String, Row> rows = new HashMap<>();
        later.measurement().rows().forEach(row -> rows.put(row.name(), row));
        for (Row before : earlier.measurement().rows()) {
            Row now = rows.remove(before.name());
            if (now == null) {
                outside.add(later.experiment() + " has no row " + before.name() + " any more");
            } else {
                compare(later.experiment(), before, now, bands, outside);
            }
        }
        rows.keySet().stream().sorted().forEach(row -> outside.add(later.experiment() + " has a new row " + row));
        return new Comparison(outside, timed ? notes(earlier, later) : List.of());
    }

    private static void compare(String experiment, Row before, Row now, Bands bands, List<String> outside) {
        before.figures().forEach((column, spread) -> {
            Spread other = now.figures().get(column);
            Band band = bands.of(column);
            if (other == null) {
                outside.add(experiment + ", " + before.name() + " has no " + column + " any more");
            } else if (!band.covers(spread.median(), other.median())) {
                outside.add(String.format(
                        Locale.ROOT,
                        "%s, %s, %s: %.6g before, %.6g now; the band is %.3g %% or %.3g",
                        experiment,
                        before.name(),
                        column,
                        spread.median(),
                        other.median(),
                        100 * band.relative(),
                        band.absolute()));
            }
        });
        now.figures().keySet().stream()
                .filter(column -> !before.figures().containsKey(column))
                .forEach(column -> outside.add(experiment + ", " + now.name() + " has a new column " + column));
    }

    private static List<String> notes(Result earlier, Result later) {
        List<String> notes = new ArrayList<>();
        Machine before = earlier.provenance().machine();
        Machine now = later.provenance().machine();
        if (!before.cpu().equals(now.cpu()) || before.cores() != now.cores()) {
            notes.add(
                    later.experiment() + ": the machines differ: " + before.text() + " before, " + now.text() + " now");
        }
        for (Result result : List.of(earlier, later)) {
            Provenance from = result.provenance();
            if (from.load().fromOthers(from.machine().cores())) {
                notes.add(String.format(
                        Locale.ROOT,
                        "%s: other programs used %.2f cores during the run of %s",
                        result.experiment(),
                        from.load().othersCores(),
                        from.date()));
            }
        }
        return notes;
    }
}
