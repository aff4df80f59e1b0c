// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.market;

import java.io.PrintStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What came of it: the table at the end, and what must hold.
 *
 * @param jobs that finished
 * @param problems of jobs, one sentence each
 * @param minted credits that were given out
 * @param books what all balances and all revenue came to
 */
record Report(Timeline course, List<JobTime> jobs, List<String> problems, BigDecimal minted, BigDecimal books) {
    /** Whole containers, and a few of them: within this a share is what it should be. */
    private static final double TOLERANCE = 0.10;

    private static final int FEWEST = 5;

    /** Something that must be so. */
    record Check(String what, boolean holds, String seen) {}

    void print(PrintStream out) {
        out.println();
        out.printf(
                "%-28s %-6s %6s %9s %9s %7s %6s %9s%n",
                "phase", "user", "rate", "entitled", "held", "spent", "jobs", "job takes");
        for (Phase phase : course.phases()) {
            for (String user : MarketScenario.USERS) {
                row(out, phase, user);
            }
        }
        out.println("entitled, held: mean part of the cluster, once a phase has settled for "
                + Math.round(MarketScenario.SETTLE_SECONDS) + " s, while all that pay ask for");
        out.println(
                "more; spent: credits in the whole phase; job takes: median from submission to end, of jobs that ended"
                        + " then");
        out.println();
    }

    private void row(PrintStream out, Phase phase, String user) {
        List<Sample> settled = phase.settled(course.samples());
        List<Sample> within = course.samples().stream()
                .filter(sample -> sample.seconds() >= phase.from() && sample.seconds() < phase.to())
                .toList();
        double spent;
        if (within.isEmpty()) {
            spent = 0;
        } else {
            spent = within.get(0).of(user).balance()
                    - within.get(within.size() - 1).of(user).balance();
        }
        double rate =
                within.isEmpty() ? 0 : within.get(within.size() - 1).of(user).rate();
        double[] took = jobs.stream()
                .filter(job -> job.user().equals(user) && job.end() >= phase.from() && job.end() < phase.to())
                .mapToDouble(JobTime::took)
                .toArray();
        out.printf(
                Locale.ROOT,
                "%-28s %-6s %6.1f %9s %9s %7.2f %6d %9s%n",
                user.equals(MarketScenario.USERS.get(0)) ? phase.name() : "",
                user,
                rate,
                settled.isEmpty() ? "-" : percent(Phase.entitled(settled, user)),
                settled.isEmpty() ? "-" : percent(Phase.used(settled, user)),
                spent,
                took.length,
                took.length == 0 ? "-" : String.format(Locale.ROOT, "%.0f s", median(took)));
    }

    private static String percent(double part) {
        return String.format(Locale.ROOT, "%.1f%%", 100 * part);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted.length == 0 ? 0 : (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    List<Check> checks() {
        List<Check> checks = new ArrayList<>();
        checks.add(new Check(
                "every finished job wrote what it should have",
                problems.isEmpty() && !jobs.isEmpty(),
                problems.isEmpty() ? jobs.size() + " jobs" : String.join("; ", problems)));
        double low = course.samples().stream()
                .flatMap(sample -> sample.states().values().stream())
                .mapToDouble(UserState::balance)
                .min()
                .orElse(0);
        checks.add(new Check(
                "no balance was ever below zero", low >= 0, "lowest " + String.format(Locale.ROOT, "%.4f", low)));
        checks.add(new Check(
                "balances and revenue are what was given out",
                books.compareTo(minted) == 0,
                books.toPlainString() + " of " + minted.toPlainString() + " credits"));
        boolean broke = course.brokeAt() < course.end();
        checks.add(new Check(
                MarketScenario.SPENDER + " ran out of budget",
                broke,
                broke ? String.format(Locale.ROOT, "after %.0f s", course.brokeAt()) : "not until the end"));
        for (Phase phase : course.phases()) {
            List<Sample> settled = phase.settled(course.samples());
            if (settled.size() < FEWEST) {
                // On a busy machine ApplicationMasters start slowly; then nothing was owed that could be measured.
                checks.add(new Check(
                        phase.name() + ": not judged, not everybody asked for tasks long enough",
                        true,
                        settled.size() + " samples; run it longer or on a quieter machine"));
                continue;
            }
            for (String user : MarketScenario.USERS) {
                double entitled = Phase.entitled(settled, user);
                double used = Phase.used(settled, user);
                checks.add(new Check(
                        phase.name() + ": " + user + " holds what it is entitled to, within 10 points",
                        Math.abs(entitled - used) <= TOLERANCE,
                        "holds " + percent(used) + " of " + percent(entitled)));
            }
        }
        long judged = course.phases().stream()
                .filter(phase -> phase.settled(course.samples()).size() >= FEWEST)
                .count();
        checks.add(new Check(
                "at least one phase could be judged",
                judged > 0,
                judged + " of " + course.phases().size()));
        return checks;
    }
}
