// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.heddle.packing.fit.PairStretch;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Phase;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PlanKind;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;
import org.heddle.packing.run.JobStatus;
import org.heddle.packing.run.RunOutcome;
import org.heddle.settings.command.CommandException;

/**
 * Measures alpha: runs each I/O intensive job on all disks of the cluster, with each CPU intensive job as extra beside
 * it.
 */
final class PairRuns {
    /** Executes a plan on the cluster. */
    interface Runner {
        RunOutcome run(String runId, Problem problem, Plan plan) throws IOException, InterruptedException;
    }

    private final Runner runner;
    private final PrintWriter out;

    PairRuns(Runner runner, PrintWriter out) {
        this.runner = runner;
        this.out = out;
    }

    /**
     * The problem with the alphas of its pairs.
     *
     * @param only names of the jobs to look at; empty for all
     * @param id start of the names of the runs
     * @param repetitions runs of each pair, &gt;= 1
     */
    Problem measure(Problem problem, Set<String> only, String id, int repetitions)
            throws IOException, InterruptedException {
        Map<Alpha.Pair, Double> measured = new HashMap<>(problem.alpha().measured());
        List<Job> jobs = problem.jobs();
        int pairs = 0;
        for (int h = 0; h < jobs.size(); h++) {
            for (int e = 0; e < jobs.size(); e++) {
                Job host = jobs.get(h);
                Job extra = jobs.get(e);
                boolean wanted = only.isEmpty() || (only.contains(host.name()) && only.contains(extra.name()));
                if (h == e || !host.io() || !extra.cpu() || !wanted) {
                    continue;
                }
                pairs++;
                PairStretch stretch = new PairStretch();
                for (int i = 0; i < repetitions; i++) {
                    run(problem, host, extra, id + "-pair-" + h + "-" + e + "-" + i, stretch);
                }
                if (stretch.runs() > 0) {
                    tell(host, extra, stretch);
                    measured.put(new Alpha.Pair(host.name(), extra.name()), stretch.alpha());
                }
            }
        }
        if (pairs == 0) {
            out.println("no pair to run: a pair is an I/O intensive job and another job that is CPU intensive");
        }
        Alpha alpha = new Alpha(problem.alpha().constant(), measured);
        return new Problem(
                problem.id(),
                problem.machines(),
                problem.disks(),
                problem.ratio(),
                alpha,
                problem.jobs(),
                problem.unknown());
    }

    private void run(Problem problem, Job host, Job extra, String runId, PairStretch stretch)
            throws IOException, InterruptedException {
        int hosts = problem.slots();
        int extras = problem.machines() * problem.extrasPerMachine();
        double expected = Math.max(host.model().seconds(hosts), extra.model().seconds(extras))
                * problem.alpha().of(host.name(), extra.name());
        Phase phase = new Phase(
                0,
                expected,
                List.of(
                        new Assignment(host.name(), Role.HOST, hosts, 0, expected, 1, List.of()),
                        new Assignment(extra.name(), Role.EXTRA, extras, 0, expected, 1, List.of())));
        Plan plan = new Plan(problem.id(), "profile", PlanKind.PHASED, expected, 0, "none", List.of(phase), List.of());
        List<RunOutcome.JobOutcome> ends =
                runner.run(runId, problem.withJobs(List.of(host, extra)), plan).jobs();
        for (RunOutcome.JobOutcome end : ends) {
            if (end.status().state() != JobStatus.State.SUCCEEDED) {
                throw new CommandException(
                        CommandException.FAILED,
                        "job " + end.job() + " failed beside another one: "
                                + end.status().trouble());
            }
        }
        RunOutcome.JobOutcome first = ends.get(0);
        RunOutcome.JobOutcome second = ends.get(1);
        double together =
                (Math.min(first.overMillis(), second.overMillis()) - Math.max(first.launched(), second.launched()))
                        / 1000.0;
        boolean shown = stretch.add(
                PairStretch.of(host.model().seconds(hosts), first.actual(), together),
                PairStretch.of(extra.model().seconds(extras), second.actual(), together));
        say(
                "%s at n = %d with %s at n = %d beside it: %.2f s and %.2f s, %.2f s together",
                host.name(), hosts, extra.name(), extras, first.actual(), second.actual(), together);
        if (!shown) {
            say("  careful: they did not run together long enough to show alpha, so this run does not count");
        }
        out.flush();
    }

    private void tell(Job host, Job extra, PairStretch stretch) {
        String interval = "no interval from one run";
        if (stretch.runs() > 1) {
            interval = String.format(
                    Locale.ROOT,
                    "90 %% between %.3f and %.3f",
                    Math.max(1, stretch.alpha() - stretch.margin()),
                    stretch.alpha() + stretch.margin());
        }
        say("alpha of %s with %s: %.3f, %s", host.name(), extra.name(), stretch.alpha(), interval);
        out.flush();
    }

    private void say(String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values));
    }
}
