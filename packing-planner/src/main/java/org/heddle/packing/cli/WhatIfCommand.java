// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.heddle.packing.chart.TextGantt;
import org.heddle.packing.io.ProblemFile;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.PinnedModel;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.settings.command.CommandException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code heddle pack what-if}. */
@Command(
        name = "what-if",
        description =
                "Plans a changed problem and compares the two plans. Without options it shows one machine more and"
                        + " less, and alpha 0.1 more and less.")
final class WhatIfCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // injected
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init") // injected
    private SolveOptions options;

    @Option(
            names = "--machines",
            paramLabel = "P",
            description = "Another number of machines, e.g. 12, or a difference, e.g. +1 or -2.")
    private @Nullable String machines;

    @Option(names = "--alpha", paramLabel = "X", description = "Another overcommit penalty for all pairs.")
    private @Nullable Double alpha;

    @Option(
            names = "--pin",
            paramLabel = "JOB=N",
            description = "Give this job exactly N VMs; N = normal keeps it out of overcommit. May be repeated.")
    private List<String> pins = new ArrayList<>();

    @Option(names = "--without", paramLabel = "JOB", description = "Leave this job out. May be repeated.")
    private List<String> without = new ArrayList<>();

    @Mixin
    @SuppressWarnings("NullAway.Init") // injected
    private ProblemInput input;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        Problem problem = input.read(err);
        boolean anything = machines != null || alpha != null || !pins.isEmpty() || !without.isEmpty();
        Problem changed = anything ? changed(problem) : null;
        Plan now = options.solve(problem, err).plan();
        out.println(String.format(Locale.ROOT, "%-34s %12.6g s", "as it is", now.makespan()));
        out.flush();
        if (changed == null) {
            neighbours(problem, now, out, err);
        } else {
            Plan plan = options.solve(changed, err).plan();
            line(out, "as asked", plan, now);
            out.println();
            out.println(TextGantt.draw(changed, plan, Output.width()));
        }
        out.flush();
        return 0;
    }

    private void neighbours(Problem problem, Plan now, PrintWriter out, PrintWriter err) {
        for (int change : new int[] {1, -1}) {
            if (problem.machines() + change >= 1
                    && ProblemFile.tooLarge(
                                    problem.machines() + change,
                                    problem.disks(),
                                    problem.jobs().size())
                            == null) {
                Problem other = with(problem, problem.machines() + change, problem.alpha());
                line(
                        out,
                        String.format(Locale.ROOT, "%+d machine", change),
                        options.solve(other, err).plan(),
                        now);
            }
        }
        double constant = problem.alpha().constant();
        for (double other :
                new double[] {Math.max(1, constant - 0.1), Math.min(ProblemFile.MOST_ALPHA, constant + 0.1)}) {
            Problem changed = with(problem, problem.machines(), new Alpha(other));
            line(
                    out,
                    String.format(Locale.ROOT, "alpha %.4g", other),
                    options.solve(changed, err).plan(),
                    now);
        }
    }

    private static void line(PrintWriter out, String what, Plan plan, Plan now) {
        out.println(String.format(
                Locale.ROOT,
                "%-34s %12.6g s  %+.2f %%",
                what,
                plan.makespan(),
                100 * (plan.makespan() / now.makespan() - 1)));
        out.flush();
    }

    private static Problem with(Problem problem, int machines, Alpha alpha) {
        return new Problem(
                problem.id(), machines, problem.disks(), problem.ratio(), alpha, problem.jobs(), problem.unknown());
    }

    private Problem changed(Problem problem) {
        List<Job> jobs = new ArrayList<>(problem.jobs());
        for (String name : without) {
            jobs.remove(position(jobs, name));
        }
        if (jobs.isEmpty()) {
            throw new CommandException(CommandException.WRONG, "--without: no job is left to plan");
        }
        int count = machines == null ? problem.machines() : machineCount(problem, machines);
        for (String pin : pins) {
            int at = pin.lastIndexOf('=');
            if (at < 1) {
                throw new CommandException(CommandException.WRONG, "--pin " + pin + ": must be JOB=N or JOB=normal");
            }
            int j = position(jobs, pin.substring(0, at));
            jobs.set(j, pinned(jobs.get(j), pin.substring(at + 1), count * problem.disks()));
        }
        Alpha penalty = problem.alpha();
        if (alpha != null) {
            Numbers.requireAlpha(alpha);
            penalty = new Alpha(alpha);
        }
        return with(problem, count, penalty).withJobs(jobs);
    }

    private static Job pinned(Job job, String to, int most) {
        if (to.equals("normal")) {
            return new Job(job.name(), job.model(), false, false, job.command());
        }
        if (!to.matches("[1-9][0-9]{0,6}") || Integer.parseInt(to) > most) {
            throw new CommandException(
                    CommandException.WRONG,
                    "--pin " + job.name() + "=" + to + ": must be normal or a VM count from 1 to " + most);
        }
        PinnedModel model = new PinnedModel(job.model(), Integer.parseInt(to));
        return new Job(job.name(), model, job.cpu(), job.io(), job.command());
    }

    private static int machineCount(Problem problem, String text) {
        if (!text.matches("[+-]?[0-9]{1,7}")) {
            throw new CommandException(
                    CommandException.WRONG, "--machines " + text + ": must be a count like 12 or a difference like +1");
        }
        int value = Integer.parseInt(text);
        int count = text.startsWith("+") || text.startsWith("-") ? problem.machines() + value : value;
        if (count < 1) {
            throw new CommandException(
                    CommandException.WRONG, "--machines " + text + ": leaves " + count + " machines, must be >= 1");
        }
        String tooLarge =
                ProblemFile.tooLarge(count, problem.disks(), problem.jobs().size());
        if (tooLarge != null) {
            throw new CommandException(CommandException.WRONG, "--machines " + text + ": " + tooLarge);
        }
        return count;
    }

    private static int position(List<Job> jobs, String name) {
        for (int j = 0; j < jobs.size(); j++) {
            if (jobs.get(j).name().equals(name)) {
                return j;
            }
        }
        throw new CommandException(
                CommandException.WRONG,
                "job \"" + name + "\" is not in the problem; it has "
                        + String.join(", ", jobs.stream().map(Job::name).toList()));
    }
}
