// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.evaluate;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.util.VersionInfo;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Scale;
import org.heddle.benchmarks.report.Evaluation;
import org.heddle.benchmarks.result.Commit;
import org.heddle.benchmarks.result.LoadMeter;
import org.heddle.benchmarks.result.Machine;
import org.heddle.benchmarks.result.Result;
import org.heddle.benchmarks.result.ResultFiles;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code benchmarks/bin/evaluate}: runs experiments, keeps their results, compares them with earlier ones, and redraws
 * the pages. Exit code 0 if all went well, 1 if an experiment failed or a figure is beyond its noise band, 2 for wrong
 * arguments.
 */
@Command(
        name = "evaluate",
        mixinStandardHelpOptions = true,
        version = "Heddle, built from this source tree",
        description = "Measures the papers' figures again and keeps the results in benchmarks/results.",
        footer = {
            "",
            "Without options, the experiments run at the quick scale. --compare, --write and --list alone run nothing."
        })
public final class Evaluate implements Callable<Integer> {
    /** The one scale of a run. */
    static final class ScaleOption {
        @Option(names = "--quick", description = "Simulations only: minutes in all, on any machine. The default.")
        boolean quick;

        @Option(names = "--full", description = "Everything, with more repetitions: a night on a quiet machine.")
        boolean full;
    }

    /** Finds out what the results of a source tree have in common. */
    interface EnvironmentProvider {
        ExperimentRunner.Environment environmentOf(Path root) throws InterruptedException;
    }

    @ArgGroup
    private ScaleOption scale = new ScaleOption();

    @Option(
            names = "--compare",
            description = "Fails if a figure of the newest result is beyond its noise band around the one before.")
    private boolean compare;

    @Option(names = "--write", description = "Redraws docs/evaluation.md and its pictures from the kept results.")
    private boolean write;

    @Option(names = "--list", description = "Lists the experiments.")
    private boolean list;

    @Option(
            names = "--root",
            defaultValue = ".",
            description = "Directory of the source tree (default: ${DEFAULT-VALUE}).")
    private Path root = Path.of(".");

    @Parameters(paramLabel = "NAME", description = "Experiments; all if none is named.")
    private List<String> names = new ArrayList<>();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final List<Experiment> all;
    private final EnvironmentProvider environments;

    private Evaluate(List<Experiment> all, EnvironmentProvider environments) {
        this.all = List.copyOf(all);
        this.environments = environments;
    }

    public static void main(String[] args) {
        int exitCode = commandLine(Experiments.all(), Evaluate::environmentOf).execute(args);
        System.exit(exitCode); // threads of a ResourceManager may live on
    }

    static CommandLine commandLine(List<Experiment> experiments, EnvironmentProvider environments) {
        return new CommandLine(new Evaluate(experiments, environments))
                .setExecutionExceptionHandler((e, line, parsed) -> {
                    line.getErr().println("evaluate: " + e.getMessage());
                    line.getErr().flush();
                    return 1;
                });
    }

    private static ExperimentRunner.Environment environmentOf(Path root) throws InterruptedException {
        return new ExperimentRunner.Environment(
                Clock.systemUTC(), Machine.ofThis(), VersionInfo.getVersion(), Commit.of(root), LoadMeter::start);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<Experiment> chosen = chosen();
        if (list) {
            list(chosen);
        }
        ResultFiles results = new ResultFiles(root.resolve("benchmarks/results"));
        ResultKeeper keeper = new ResultKeeper(results, new ResultFiles(target().resolve("unpublished")), this::say);
        boolean measures = scale.quick || scale.full || !(list || compare || write);
        boolean fine = true;
        if (measures) {
            fine = measure(chosen, keeper);
        } else if (compare) {
            fine = compareNewest(chosen, keeper);
        }
        if (measures || write) {
            redraw(results);
        }
        return fine ? 0 : 1;
    }

    private List<Experiment> chosen() {
        List<String> known = all.stream().map(Experiment::name).toList();
        for (String name : names) {
            if (!known.contains(name)) {
                throw new CommandLine.ParameterException(
                        spec.commandLine(),
                        "experiment " + name + " is unknown: use some of " + String.join(", ", known));
            }
        }
        return names.isEmpty()
                ? all
                : all.stream().filter(one -> names.contains(one.name())).toList();
    }

    private Scale scale() {
        return scale.full ? Scale.FULL : Scale.QUICK;
    }

    private Path target() {
        return root.resolve("benchmarks/target/evaluate");
    }

    private void list(List<Experiment> chosen) {
        for (Experiment experiment : chosen) {
            say(String.format(
                    Locale.ROOT,
                    "%-22s %-11s %s",
                    experiment.name(),
                    experiment.effort().isIn(Scale.QUICK) ? "quick, full" : "full",
                    experiment.description().title()));
        }
    }

    /** Runs what is in the scale; false if something failed, or, with --compare, is beyond its noise band. */
    private boolean measure(List<Experiment> chosen, ResultKeeper keeper) throws IOException, InterruptedException {
        List<Experiment> inScale = new ArrayList<>();
        for (Experiment experiment : chosen) {
            if (experiment.effort().isIn(scale())) {
                inScale.add(experiment);
            } else if (!names.isEmpty()) {
                say(experiment.name() + " is not in the quick scale: run it with --full");
            }
        }
        ExperimentRunner runner =
                new ExperimentRunner(scale(), root, target(), environments.environmentOf(root), this::say);
        int failed = 0;
        boolean within = true;
        for (int i = 0; i < inScale.size(); i++) {
            Experiment experiment = inScale.get(i);
            double minutes = experiment.effort().minutes(scale());
            say(String.format(
                    Locale.ROOT, "[%d/%d] %s, about %.1f min", i + 1, inScale.size(), experiment.name(), minutes));
            Optional<Result> result = runner.run(experiment);
            if (result.isPresent()) {
                say(String.format(
                        Locale.ROOT,
                        "    took %.0f s",
                        result.get().provenance().seconds()));
                within &= keeper.keep(experiment, result.get());
            } else {
                failed++;
            }
        }
        if (failed > 0) {
            say(failed + " of " + inScale.size() + " experiments failed; the others are kept");
        }
        return failed == 0 && !inScale.isEmpty() && (within || !compare);
    }

    private boolean compareNewest(List<Experiment> chosen, ResultKeeper keeper) throws IOException {
        boolean within = true;
        for (Experiment experiment : chosen) {
            for (Scale one : Scale.values()) {
                within &= keeper.compareNewest(experiment, one);
            }
        }
        return within;
    }

    private void redraw(ResultFiles results) throws IOException {
        Evaluation evaluation = new Evaluation(all, Experiments.planned(), results);
        Path report = target().resolve("report.html");
        evaluation.writeHtml(report);
        say("report: " + report);
        if (write) {
            evaluation.write(root.resolve("docs/evaluation.md"), root.resolve("docs/images"));
            say("redrawn: " + root.resolve("docs/evaluation.md"));
        }
    }

    private void say(String what) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(what);
        out.flush();
    }
}
