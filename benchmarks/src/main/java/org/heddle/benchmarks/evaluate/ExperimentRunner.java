// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.evaluate;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.experiment.Scale;
import org.heddle.benchmarks.result.Commit;
import org.heddle.benchmarks.result.Load;
import org.heddle.benchmarks.result.LoadMeter;
import org.heddle.benchmarks.result.Machine;
import org.heddle.benchmarks.result.Provenance;
import org.heddle.benchmarks.result.Result;

/** Runs one experiment after the other and adds the provenance. A failure ends only its own experiment. */
final class ExperimentRunner {
    private final Scale scale;
    private final Path root;
    private final Path scratch;
    private final Environment environment;
    private final Consumer<String> progress;

    /**
     * What is the same for all experiments of a run.
     *
     * @param clock for the dates
     * @param machine this one
     * @param hadoop version of Hadoop's classes
     * @param commit of the source tree
     * @param meters makes a meter for each experiment, which has begun to watch
     */
    record Environment(Clock clock, Machine machine, String hadoop, Commit commit, Supplier<LoadMeter> meters) {}

    ExperimentRunner(Scale scale, Path root, Path scratch, Environment environment, Consumer<String> progress) {
        this.scale = scale;
        this.root = root;
        this.scratch = scratch;
        this.environment = environment;
        this.progress = progress;
    }

    /** Runs an experiment; nothing if it fails, which is reported with the place of its stack trace. */
    Optional<Result> run(Experiment experiment) throws IOException {
        Path directory = Files.createDirectories(scratch.resolve(experiment.name()));
        try {
            return Optional.of(measure(experiment, directory));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            progress.accept(experiment.name() + " was interrupted");
        } catch (Exception | LinkageError | AssertionError e) {
            Path log = directory.resolve("failure.log");
            try (PrintWriter trace = new PrintWriter(Files.newBufferedWriter(log, StandardCharsets.UTF_8))) {
                e.printStackTrace(trace);
            }
            progress.accept(experiment.name() + " failed: " + e.getMessage() + " (details are in " + log + ")");
        }
        return Optional.empty();
    }

    private Result measure(Experiment experiment, Path directory) throws Exception {
        List<Long> seeds = LongStream.rangeClosed(1, experiment.effort().repetitions(scale))
                .boxed()
                .toList();
        Clock clock = environment.clock();
        LoadMeter meter = environment.meters().get();
        long began = clock.millis();
        Measurement measurement;
        Load load;
        try {
            measurement = experiment.run(new Run(scale, seeds, root, directory, this::tell));
        } finally {
            load = meter.stop();
        }
        Provenance provenance = new Provenance(
                Instant.ofEpochMilli(began).truncatedTo(ChronoUnit.SECONDS).toString(),
                environment.commit().id(),
                environment.commit().changed(),
                environment.machine(),
                environment.hadoop(),
                seeds,
                seeds.size(),
                load,
                Math.max(1, clock.millis() - began) / 1e3);
        return new Result(experiment.name(), scale, provenance, measurement);
    }

    private void tell(String what) {
        progress.accept("    " + what);
    }
}
