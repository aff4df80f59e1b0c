// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.heddle.benchmarks.experiment.Plot;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Spread;

/** What a container costs under each scheduler as a multiple of the floor, and below each name the microseconds. */
final class RacePicture {
    private RacePicture() {}

    /**
     * @param origin where this was measured, if the picture is to say so
     * @param rows as {@link RaceExperiment#rows} makes them; those of schedulers that failed are left out
     */
    static Plot of(String size, String origin, List<Row> rows) {
        List<String> names = new ArrayList<>();
        List<Spread> ratios = new ArrayList<>();
        for (Row row : rows) {
            Spread ratio = row.figures().get(RaceExperiment.RATIO);
            if (ratio != null) {
                String scheduler = row.name().substring(row.name().indexOf(", ") + 2);
                names.add(String.format(Locale.ROOT, "%s %.1f us", scheduler, row.median(RaceExperiment.COST)));
                ratios.add(ratio);
            }
        }
        return Plot.ranges(
                size,
                "CPU time for each container by that of the floor, " + size + " nodes",
                origin,
                "x floor",
                names,
                ratios);
    }
}
