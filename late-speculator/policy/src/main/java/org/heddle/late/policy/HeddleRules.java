// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The default profile: a task gets a backup if a fresh run would end clearly earlier than the attempt that runs. The paper
 * uses percentiles instead, by which a quarter of the tasks of an even cluster is always slow. The constants were tuned on the seeds from 1001 on of
 * the scenarios of {@code benchmarks/bin/late-report}; its report uses seeds 1 to 11.
 */
final class HeddleRules implements Rules {
    // An attempt without any report is late after this many typical runs.
    private static final double LATE_WITHOUT_REPORT = 1.5;
    // Progress comes in steps if the first one is typically seen after so many report intervals.
    private static final double STEP_INTERVALS = 3;
    // An attempt that has shown no progress still has at least this part of its run before it.
    private static final double AHEAD_WITHOUT_PROGRESS = 0.75;
    // After so many times the longest run an attempt without any report has probably stopped. Nodes are rarely that
    // slow.
    private static final double STOPPED_WITHOUT_REPORT = 5;
    // A third attempt needs a larger margin than a second one.
    private static final double THIRD_ATTEMPT_MARGIN = 1.1;
    // Two reports at Hadoop's usual interval.
    private static final double START_MILLIS = 12_000;
    // A node is known to be slower if its other attempts take more than this many times the typical run.
    private static final double SLOWER = 1.1;
    // A node that is this many times slower than the one on which a backup would run gets no backup.
    private static final double SLOW_NODE = 1.5;
    // Estimates are not exact: only a task that ends before this part of the job's earliest end needs no backup.
    private static final double CLEARLY_BEFORE = 0.9;
    static final int REPORTS_TO_JUDGE = 2;
    // A backup must also pay if the estimate is too long by so many standard errors.
    private static final double ERRORS = 3;
    // Before an attempt of the kind has finished, all times are projections from a few reports.
    private static final double BENEFIT_BEFORE_FIRST_END = 2;
    private static final int ENOUGH_RUNS = 2;
    // Two attempts have the same pace if none takes less than this part of the other's run.
    private static final double AS_SLOW = 0.8;
    // A reducer that has fetched less than this part of what its peers have fetched does not only wait for maps.
    private static final double FETCHES_SLOWLY = 0.5;

    private final AttemptRegistry registry;
    private final Settings settings;
    private final Estimator estimator;
    private final Baseline baseline;
    private final SteadyPace pace;
    private final Trials trials;
    private final double firstProgressMillis;
    private final long now;
    private final Map<TaskRecord, Double> remaining = new HashMap<>();
    private final double earliestEnd;
    private final double shuffleOfPeers;
    private final double expectedSlowness;
    private final double benefit;
    private final RateNoise noise;

    HeddleRules(
            AttemptRegistry registry,
            TaskKind kind,
            Settings settings,
            Estimator estimator,
            Baseline baseline,
            PhaseStats stats,
            SteadyPace pace,
            Trials trials,
            long now) {
        this.registry = registry;
        this.settings = settings;
        this.estimator = estimator;
        this.baseline = baseline;
        this.firstProgressMillis = firstProgress(stats.typicalFirstMillis(), settings);
        this.pace = pace;
        this.trials = trials;
        this.now = now;
        this.noise = registry.of(kind).noise;
        boolean measured = registry.succeeded(kind) > 0;
        this.benefit = measured ? settings.benefit : Math.max(settings.benefit, BENEFIT_BEFORE_FIRST_END);
        this.expectedSlowness = backupNodeSlowness(registry, kind, baseline);
        double end = 0;
        Sample shuffles = new Sample(16);
        for (TaskRecord task : registry.running(kind)) {
            double left = bestRemaining(task, null);
            remaining.put(task, left);
            Reason reason = reason(task, left);
            boolean copied = reason.action() == Decision.Action.LAUNCH || reason == Reason.ALREADY_BACKED_UP;
            end = Math.max(end, copied ? Math.min(left, fresh(task)) : left);
            shuffles.add(task.live.get(0).score());
        }
        this.earliestEnd = end;
        this.shuffleOfPeers = kind == TaskKind.REDUCE ? shuffles.median() : Double.NaN;
    }

    @Override
    public Decision judge(TaskRecord task) {
        double left = remaining.getOrDefault(task, Double.POSITIVE_INFINITY);
        Reason reason = reason(task, left);
        if (reason == Reason.TASK_BOUND && task.live.size() + task.pending() == 1 && trials.more() > 0) {
            reason = Reason.LONGEST_TIME_TO_END;
        }
        if (reason.action() == Decision.Action.LAUNCH && left < CLEARLY_BEFORE * earliestEnd) {
            reason = Reason.NOT_THE_LAST;
        }
        return Decision.of(task.live.get(0), reason, left, fresh(task));
    }

    @Override
    public boolean tries(TaskRecord task) {
        return task.live.size() == 1 && pace.ofLargeTask(task.live.get(0));
    }

    @Override
    public int trialsLeft() {
        return trials.more();
    }

    @Override
    public boolean slow(NodeRecord node) {
        return baseline.evidence(node) > 0 && baseline.slowness(node) >= SLOW_NODE * expectedSlowness;
    }

    @Override
    public double slowness(NodeRecord node) {
        return baseline.slowness(node);
    }

    @Override
    public double freshMillis(TaskRecord task, NodeRecord node) {
        return baseline.freshMillis(task) * baseline.slowness(node);
    }

    /** What a copy saves must also exceed what it takes to notice its progress, unless tasks are shorter than that. */
    @Override
    public boolean pays(double left, double fresh) {
        return left > benefit * fresh && left - fresh >= Math.min(fresh, (double) settings.reportMillis);
    }

    /**
     * From its reports, or from runs that have ended on its node. Of other attempts it is only known that they have run for long
     * without a report: on a slow node it takes long to start the JVM, and the end may be near.
     */
    @Override
    public boolean foresees(TaskRecord task) {
        return task.live.stream()
                .allMatch(attempt -> attempt.readings() >= REPORTS_TO_JUDGE
                        || baseline.finishedOn(attempt.on()) > 0
                        || now - Baseline.effectiveStart(registry, attempt)
                                >= STOPPED_WITHOUT_REPORT * longestRun(task.kind()));
    }

    /** Of those that have ended, in milliseconds; infinite if none has. */
    private double longestRun(TaskKind kind) {
        return registry.of(kind).finished.stream()
                .mapToDouble(attempt -> attempt.endedAt() - Baseline.effectiveStart(registry, attempt))
                .max()
                .orElse(Double.POSITIVE_INFINITY);
    }

    @Override
    public boolean misplaced(AttemptRecord backup, FreeSlots freeSlots) {
        TaskRecord task = backup.task();
        double here = Math.min(bestRemaining(task, backup), freshMillis(task, backup.on()));
        double elsewhere = freeSlots.expectedMillis(task);
        return elsewhere == Double.POSITIVE_INFINITY
                ? slow(backup.on())
                : pays(here, FreeSlots.RETRY_MILLIS + elsewhere);
    }

    /** The slowness of the fastest node with a known free slot, else of the nodes on which backups usually run. */
    private static double backupNodeSlowness(AttemptRegistry registry, TaskKind kind, Baseline baseline) {
        double best = Double.POSITIVE_INFINITY;
        for (NodeRecord node : registry.nodes().values()) {
            if (node.free(kind) > 0) {
                best = Math.min(best, baseline.slowness(node));
            }
        }
        return best < Double.POSITIVE_INFINITY ? best : baseline.backupNodeSlowness();
    }

    /** Expected time of a backup on the node on which it will probably run. */
    private double fresh(TaskRecord task) {
        return baseline.freshMillis(task) * expectedSlowness;
    }

    private Reason reason(TaskRecord task, double left) {
        int attempts = task.live.size() + task.pending();
        if (attempts > 1) {
            return furtherAttempt(task, attempts, left);
        }
        AttemptRecord attempt = task.live.get(0);
        long age = now - attempt.startedAt();
        double fresh = fresh(task);
        if (baseline.waitsForMaps(attempt)) {
            return fetchesSlowly(attempt) && age >= settings.minAgeMillis
                    ? benefit(attempt, left, fresh)
                    : Reason.WAITS_FOR_MAPS;
        }
        if (now - Baseline.effectiveStart(registry, attempt) < minAge()) {
            return isKnownSlow(attempt.on()) ? benefit(attempt, left, fresh) : Reason.TOO_YOUNG;
        }
        boolean late = age >= LATE_WITHOUT_REPORT * fresh || isLateWithFirst(attempt);
        if (attempt.readings() < REPORTS_TO_JUDGE && !late) {
            return Reason.NO_REPORT;
        }
        return benefit(attempt, left, fresh);
    }

    private Reason benefit(AttemptRecord attempt, double left, double fresh) {
        boolean moves = attempt.silentFor(now) <= pace.silenceMillis();
        double error = moves ? noise.errorAfter(attempt.readings()) : 0;
        if (!pays(left, fresh * (1 + ERRORS * error))) {
            return Reason.NO_BENEFIT;
        }
        boolean large = pace.ofLargeTask(attempt) || (trials.allAsSlow() && pace.onHealthyNode(attempt));
        return large ? Reason.TASK_BOUND : Reason.LONGEST_TIME_TO_END;
    }

    private Reason furtherAttempt(TaskRecord task, int attempts, double left) {
        if (attempts >= settings.maxAttempts) {
            return Reason.ATTEMPT_LIMIT;
        }
        if (task.pending() > 0 || task.live.stream().anyMatch(this::mayStillBeFast)) {
            return Reason.ALREADY_BACKED_UP;
        }
        double fresh = fresh(task);
        boolean hopeless = left > THIRD_ATTEMPT_MARGIN * benefit * fresh;
        if (hopeless && backupIsAsSlow(task)) {
            return Reason.TASK_BOUND;
        }
        return hopeless ? Reason.BACKUP_STALLED_TOO : Reason.ALREADY_BACKED_UP;
    }

    /** Where reports come each second, the first ones of a backup show little but the start of its JVM. */
    private boolean mayStillBeFast(AttemptRecord attempt) {
        return attempt.backup()
                && attempt.readings() >= REPORTS_TO_JUDGE
                && minAge() >= START_MILLIS
                && now - Baseline.effectiveStart(registry, attempt) < START_MILLIS
                && attempt.silentFor(now) <= pace.silenceMillis()
                && !isKnownSlow(attempt.on())
                && !slow(attempt.on());
    }

    /** Two attempts that go on at the same pace on two nodes, of which one is healthy, show that the task is large. */
    private boolean backupIsAsSlow(TaskRecord task) {
        AttemptRecord first = task.live.get(0);
        return task.live.stream().anyMatch(backup -> {
            double share = run(backup) / run(first);
            return backup != first && share > AS_SLOW && share < 1 / AS_SLOW && pace.onHealthyNode(backup);
        });
    }

    private double run(AttemptRecord attempt) {
        return now - Baseline.effectiveStart(registry, attempt) + estimator.remainingMillis(attempt, now);
    }

    /** The attempt that ends first counts. */
    private double bestRemaining(TaskRecord task, @Nullable AttemptRecord without) {
        double best = Double.POSITIVE_INFINITY;
        for (AttemptRecord attempt : task.live) {
            if (attempt == without) {
                continue;
            }
            double left = estimator.remainingMillis(attempt, now);
            boolean young = now - Baseline.effectiveStart(registry, attempt) < minAge();
            boolean unknown =
                    Double.isNaN(left) || attempt.readings() < REPORTS_TO_JUDGE || (young && isKnownSlow(attempt.on()));
            best = Math.min(best, unknown ? expected(attempt) : left);
        }
        return best;
    }

    /**
     * Of an attempt without a usable report: a typical run on its node, most of which is still to come if it has shown no
     * progress; and once it is late, twice its age.
     */
    private double expected(AttemptRecord attempt) {
        double run = baseline.freshMillis(attempt.task()) * baseline.slowness(attempt.on());
        double age = now - Baseline.effectiveStart(registry, attempt);
        double ahead = attempt.readings() == 0 ? AHEAD_WITHOUT_PROGRESS * run : 0;
        if (isLateWithFirst(attempt)) {
            ahead = Math.max(ahead, run * firstProgress(attempt) / firstProgressMillis - age);
        }
        return age < LATE_WITHOUT_REPORT * run ? Math.max(ahead, run - age) : 2 * age;
    }

    /** Progress in large steps: others have long shown the first one. The time of a first report says less. */
    private boolean isLateWithFirst(AttemptRecord attempt) {
        return attempt.readings() < REPORTS_TO_JUDGE
                && firstProgress(attempt) >= LATE_WITHOUT_REPORT * firstProgressMillis;
    }

    /** From the start to the first progress, which is still to come or was the only one. */
    private double firstProgress(AttemptRecord attempt) {
        return attempt.readings() == 0 ? now - attempt.startedAt() : attempt.firstProgressMillis();
    }

    private static double firstProgress(double typical, Settings settings) {
        return typical >= STEP_INTERVALS * settings.reportMillis ? typical : Double.POSITIVE_INFINITY;
    }

    /** Whether earlier attempts have shown that the node is slow, so that a new attempt there is slow from the start. */
    private boolean isKnownSlow(NodeRecord node) {
        boolean told = baseline.finishedOn(node) > 0 && baseline.evidence(node) >= ENOUGH_RUNS;
        return told && baseline.slowness(node) > SLOWER;
    }

    private double minAge() {
        double share = settings.minAgeShare * baseline.typicalMillis();
        // A task that is shorter than that is late before it reports.
        double late = LATE_WITHOUT_REPORT * baseline.typicalMillis();
        double reports = Math.min(late, (double) REPORTS_TO_JUDGE * settings.reportMillis);
        return Math.min((double) settings.minAgeMillis, Math.max(reports, share));
    }

    private boolean fetchesSlowly(AttemptRecord attempt) {
        double there = registry.mapsDoneShare() * attempt.phases().width(0);
        return attempt.score() < FETCHES_SLOWLY * Math.min(there, shuffleOfPeers);
    }
}
