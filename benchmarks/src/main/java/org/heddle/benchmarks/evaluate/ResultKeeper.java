// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.evaluate;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Scale;
import org.heddle.benchmarks.result.Comparison;
import org.heddle.benchmarks.result.Result;
import org.heddle.benchmarks.result.ResultFiles;

/**
 * Keeps results and compares them with those before. Only a result with complete provenance goes into the repository;
 * others are kept below {@code target}.
 */
final class ResultKeeper {
    private final ResultFiles published;
    private final ResultFiles unpublished;
    private final Consumer<String> say;

    ResultKeeper(ResultFiles published, ResultFiles unpublished, Consumer<String> say) {
        this.published = published;
        this.unpublished = unpublished;
        this.say = say;
    }

    /** Keeps a result; false if a figure is beyond its noise band around the newest published result of the scale. */
    boolean keep(Experiment experiment, Result result) throws IOException {
        List<Result> before = published(experiment, result.scale());
        List<String> missing = result.provenance().missing();
        (missing.isEmpty() ? published : unpublished).append(result);
        if (!missing.isEmpty()) {
            say.accept(experiment.name() + " lacks " + String.join(", ", missing)
                    + ": the result is not for publication and is in " + unpublished.file(experiment.name()));
        }
        if (experiment.effort().timed()
                && result.provenance()
                        .load()
                        .fromOthers(result.provenance().machine().cores())) {
            say.accept(String.format(
                    Locale.ROOT,
                    "%s is marked: other programs used %.2f cores meanwhile",
                    experiment.name(),
                    result.provenance().load().othersCores()));
        }
        return before.isEmpty() || compare(experiment, before.get(before.size() - 1), result);
    }

    /** Compares the newest two published results of a scale; true if there are fewer. */
    boolean compareNewest(Experiment experiment, Scale scale) throws IOException {
        List<Result> results = published(experiment, scale);
        int count = results.size();
        return count < 2 || compare(experiment, results.get(count - 2), results.get(count - 1));
    }

    private List<Result> published(Experiment experiment, Scale scale) throws IOException {
        return published.read(experiment.name()).stream()
                .filter(result -> result.scale() == scale)
                .toList();
    }

    private boolean compare(Experiment experiment, Result earlier, Result later) {
        Comparison comparison = Comparison.of(
                earlier, later, experiment.bands(), experiment.effort().timed());
        comparison.notes().forEach(say);
        comparison.outside().forEach(say);
        boolean agrees = comparison.outside().isEmpty();
        if (agrees) {
            say.accept(experiment.name() + " agrees with its result of "
                    + earlier.provenance().date());
        }
        return agrees;
    }
}
