// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.result;

import java.util.List;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Scale;
import org.heddle.benchmarks.experiment.Spread;

/** Results that nobody measured, for tests. */
public final class MadeUp {
    public static final Machine MACHINE =
            new Machine("Example CPU, family 6, model 1", 2, 8, "Linux 6.1", "JVM 17.0.1");

    private MadeUp() {}

    public static Provenance provenance() {
        return new Provenance(
                "2026-11-23T18:00:00Z",
                "0123456789ab",
                false,
                MACHINE,
                "3.5.0",
                List.of(1L, 2L, 3L),
                3,
                new Load(0.1, 0.9, 0.02),
                12.5);
    }

    /** A run with other programs beside it. */
    public static Provenance disturbed() {
        Provenance quiet = provenance();
        return new Provenance(
                quiet.date(),
                quiet.commit(),
                quiet.changed(),
                quiet.machine(),
                quiet.hadoop(),
                quiet.seeds(),
                quiet.repetitions(),
                new Load(5, 6, 1.5),
                quiet.seconds());
    }

    public static Result result(String experiment, double seconds) {
        return new Result(experiment, Scale.QUICK, provenance(), measurement(seconds));
    }

    public static Measurement measurement(double seconds) {
        return Measurement.of(List.of(
                Row.of("none").with("job, s", new Spread(seconds, seconds - 10, seconds + 10, 3)),
                Row.of("late").with("job, s", Spread.of(seconds / 2)).with("wasted, %", Spread.of(1.5))));
    }
}
