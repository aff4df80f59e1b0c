// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import java.util.function.Consumer;

/**
 * The thresholds of a profile. Immutable; start from {@link #paper()} or {@link #heddle()} and change what differs:
 * {@code Settings.heddle().with(s -> s.benefit = 1.5)}.
 *
 * <p>The paper gives the values of its profile in section 4, and varies them in 5.4. Other values were chosen on the
 * scenarios of {@code benchmarks/bin/late-report} with seeds from 1001 on; its report uses seeds 1 to 11.
 */
public final class Settings {
    // Reports without progress after which an attempt counts as one that has stopped.
    private static final double SILENT_REPORTS = 2.5;

    /** Which rules judge a task. */
    public enum Profile {
        /** Section 4 of the paper, to the letter. */
        PAPER,
        /** LATE with a benefit test, silence, sizes, phases and several backups per pass. */
        HEDDLE
    }

    /** The mutable form of {@link Settings}, for {@link #with}. Values are checked when it becomes settings again. */
    public static final class Draft {
        public Profile profile = Profile.HEDDLE;
        /** SpeculativeCap as a share of the slots of the kind, in [0, 1]. Section 4: 0.1. */
        public double capSlots = 0.25;
        /** Hadoop's limit: share of the running tasks, in [0, 1]. */
        public double capRunning = 0.1;
        /** Hadoop's limit: share of all tasks, in [0, 1]. */
        public double capTotal = 0.01;
        /** Hadoop's limit: backups allowed in any case. */
        public int capMinimum = 10;
        /** SlowTaskThreshold (section 4): percentile of progress rates, in [0, 100]; paper profile. */
        public double slowTaskPercentile = 25;
        /** SlowNodeThreshold (section 4): percentile of the progress of nodes, in [0, 100]; paper profile. */
        public double slowNodePercentile = 25;
        /** No attempt younger than this is judged, ms. Section 4: a minute. */
        public long minAgeMillis = 60_000;
        /** In the heddle profile a shorter age suffices: this share of a typical run. */
        public double minAgeShare = 0.3;
        /** Interval between the reports of an attempt that makes progress, ms. */
        public long reportMillis = 6_000;
        /** Waiting must take this many times as long as the backup; heddle profile. */
        public double benefit = 1.1;
        /** Live attempts a task may have. In the paper: 2. */
        public int maxAttempts = 5;
        /** Whether reduces that only wait for maps give their slots to backups of maps; heddle profile. */
        public boolean makeRoom = true;
        /**
         * Where no normal run time is known and the kind has few tasks, an attempt that has run longer than this gets a
         * backup, ms; 0: never. Heddle profile.
         */
        public long fewTasksMillis;
        /** Backups wait while more originals than this share of the running ones wait for a container. */
        public double waitingShare = 0.02;

        private Draft() {}

        private Draft(Settings s) {
            profile = s.profile;
            capSlots = s.capSlots;
            capRunning = s.capRunning;
            capTotal = s.capTotal;
            capMinimum = s.capMinimum;
            slowTaskPercentile = s.slowTaskPercentile;
            slowNodePercentile = s.slowNodePercentile;
            minAgeMillis = s.minAgeMillis;
            minAgeShare = s.minAgeShare;
            reportMillis = s.reportMillis;
            benefit = s.benefit;
            maxAttempts = s.maxAttempts;
            makeRoom = s.makeRoom;
            fewTasksMillis = s.fewTasksMillis;
            waitingShare = s.waitingShare;
        }
    }

    final Profile profile;
    final double capSlots;
    final double capRunning;
    final double capTotal;
    final int capMinimum;
    final double slowTaskPercentile;
    final double slowNodePercentile;
    final long minAgeMillis;
    final double minAgeShare;
    final long reportMillis;
    final double benefit;
    final int maxAttempts;
    final boolean makeRoom;
    final long fewTasksMillis;
    final double waitingShare;

    private Settings(Draft d) {
        profile = d.profile;
        capSlots = within("share of slots that may run backups", d.capSlots, 0, 1);
        capRunning = within("share of running tasks that may have backups", d.capRunning, 0, 1);
        capTotal = within("share of all tasks that may have backups", d.capTotal, 0, 1);
        capMinimum = (int) within("backups allowed in any case", (long) d.capMinimum, 0, Integer.MAX_VALUE);
        slowTaskPercentile = within("slow task percentile", d.slowTaskPercentile, 0, 100);
        slowNodePercentile = within("slow node percentile", d.slowNodePercentile, 0, 100);
        minAgeMillis = within("minimum age in ms", d.minAgeMillis, 0, Long.MAX_VALUE);
        minAgeShare = within("minimum age as share of a typical run", d.minAgeShare, 0, 10);
        reportMillis = within("report interval in ms", d.reportMillis, 1, Long.MAX_VALUE);
        benefit = within("benefit factor", d.benefit, 1, 1_000);
        maxAttempts = (int) within("live attempts of a task", (long) d.maxAttempts, 2, 100);
        makeRoom = d.makeRoom && d.profile == Profile.HEDDLE;
        long timeout = within("timeout of few tasks in ms", d.fewTasksMillis, 0, Long.MAX_VALUE);
        fewTasksMillis = d.profile == Profile.HEDDLE ? timeout : 0;
        waitingShare = within("share of waiting originals", d.waitingShare, 0, 1);
    }

    /** LATE to the letter: 10 % cap, 25th percentiles, one minute, one backup per task. */
    public static Settings paper() {
        Draft d = new Draft();
        d.profile = Profile.PAPER;
        d.capSlots = 0.1;
        d.capRunning = 0;
        d.capTotal = 0;
        d.capMinimum = 1;
        d.maxAttempts = 2;
        d.waitingShare = 0;
        return new Settings(d);
    }

    /** The default. */
    public static Settings heddle() {
        return new Settings(new Draft());
    }

    /**
     * A copy with changes.
     *
     * @throws IllegalArgumentException naming the value and its range when one is out of it
     */
    public Settings with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return new Settings(draft);
    }

    public Profile profile() {
        return profile;
    }

    /** Milliseconds without progress after which an attempt counts as silent. */
    double silenceMillis() {
        return SILENT_REPORTS * reportMillis;
    }

    private static long within(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + " = " + value + ": must be in [" + least + ", " + most + "]");
        }
        return value;
    }

    private static double within(String what, double value, double least, double most) {
        if (!(value >= least && value <= most)) {
            throw new IllegalArgumentException(what + " = " + value + ": must be in [" + least + ", " + most + "]");
        }
        return value;
    }
}
