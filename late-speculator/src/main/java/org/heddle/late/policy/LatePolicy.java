// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides which running tasks get a backup. Reads an {@link AttemptRegistry}, changes nothing in it: the caller
 * does what a verdict asks for and tells the book.
 *
 * <pre>
 *   observations -> AttemptRegistry -> scan(now) -> verdicts -> caller acts -> book.requested / book.moved
 * </pre>
 */
public final class LatePolicy {
    // Ties by task id make a scan a function of its input.
    private static final Comparator<Decision> FARTHEST_FIRST =
            Comparator.comparingDouble(Decision::remainingMillis).reversed().thenComparing(Decision::task);

    private final AttemptRegistry book;
    private final Settings settings;
    private final Map<TaskKind, Long> wantedSince = new EnumMap<>(TaskKind.class);
    private double pricePerSlotSecond = Double.NaN;

    public LatePolicy(AttemptRegistry book, Settings settings) {
        this.book = book;
        this.settings = settings;
    }

    /** Credits one slot costs for one second; NaN when unknown, which leaves prices out of the decision. */
    public void price(double creditsPerSlotSecond) {
        this.pricePerSlotSecond = creditsPerSlotSecond;
    }

    /** Judges every running task of both kinds. */
    public List<Decision> scan(long now) {
        List<Decision> verdicts = new ArrayList<>();
        for (TaskKind kind : TaskKind.values()) {
            verdicts.addAll(scan(kind, now));
        }
        return verdicts;
    }

    /**
     * Judges every running task of a kind.
     *
     * @return one verdict per running task, launches first and farthest end first; or one for the whole kind, named
     *     after it, when nothing can be judged
     */
    public List<Decision> scan(TaskKind kind, long now) {
        return scan(kind, now, false);
    }

    /** @param asked whether a node asks, so that there is room */
    private List<Decision> scan(TaskKind kind, long now, boolean asked) {
        // 1. Anything to judge?
        AttemptRegistry.KindBook kindBook = book.of(kind);
        if (kindBook.running.isEmpty()) {
            return List.of();
        }
        // 2. Backups never take the place of originals.
        if (kindBook.waiting - kindBook.requested > settings.waitingShare * kindBook.liveAttempts) {
            return List.of(ofKind(kind, Reason.ORIGINALS_WAITING));
        }
        // 3. What is normal?
        Optional<Rules> rules = rules(kind, now);
        if (rules.isEmpty()) {
            return List.of(ofKind(kind, Reason.NO_BASELINE));
        }
        // 4. Judge, 5. rank by longest time to end, 6. cap, price and room.
        List<Decision> held = new ArrayList<>();
        List<Decision> candidates = new ArrayList<>();
        for (TaskRecord task : kindBook.running.values()) {
            Decision verdict = rules.get().judge(task);
            (verdict.action() == Decision.Action.LAUNCH ? candidates : held).add(verdict);
        }
        candidates.sort(FARTHEST_FIRST);
        List<Decision> verdicts = afford(
                kind,
                candidates,
                asked
                        ? FreeSlots.given(rules.get())
                        : FreeSlots.of(book, kind, rules.get(), wantedSince(kind, now), now));
        remember(kind, verdicts, now);
        verdicts.addAll(held);
        return verdicts;
    }

    /**
     * The paper's form of the question: a node asks for a task.
     *
     * @return the launch for this node, or why there is none
     */
    public Decision offer(TaskKind kind, String node, long now) {
        Optional<Rules> rules = rules(kind, now);
        if (rules.isPresent() && rules.get().slow(node)) {
            return ofKind(kind, Reason.ONLY_SLOW_NODES);
        }
        for (Decision verdict : scan(kind, now, true)) {
            TaskRecord task = book.taskRecord(verdict.task());
            boolean elsewhere =
                    task == null || task.live.stream().noneMatch(a -> a.node().equals(node));
            if (verdict.action() == Decision.Action.LAUNCH && elsewhere) {
                return verdict;
            }
        }
        return ofKind(kind, Reason.NO_BENEFIT);
    }

    /** Whether at least two attempts have shown a node to be too slow for backups. */
    public boolean slowNode(TaskKind kind, String node, long now) {
        return rules(kind, now).map(rules -> rules.provenSlow(node)).orElse(false);
    }

    /** Judges where a backup landed: KEEP, or KILL so that it is placed again. */
    public Decision landed(AttemptRecord attempt, long now) {
        return Decision.of(attempt, landing(attempt, now), Double.NaN, Double.NaN);
    }

    /** The most backups of a kind that may be running or requested at once. */
    public int cap(TaskKind kind) {
        AttemptRegistry.KindBook kindBook = book.of(kind);
        double stock = Math.max(
                settings.capMinimum,
                Math.max(settings.capTotal * kindBook.total, settings.capRunning * kindBook.running.size()));
        return (int) Math.max(stock, Math.floor(settings.capSlots * book.slotsOf(kind)));
    }

    private Reason landing(AttemptRecord attempt, long now) {
        if (!attempt.backup()) {
            return Reason.LANDED_WELL;
        }
        TaskRecord task = attempt.task();
        boolean movable = task.moved < settings.maxMoves;
        if (task.live.stream().anyMatch(a -> a != attempt && a.node().equals(attempt.node()))) {
            return movable ? Reason.SAME_NODE : Reason.MOVED_ENOUGH;
        }
        Optional<Rules> rules = rules(task.kind(), now);
        if (rules.isEmpty()) {
            return Reason.LANDED_WELL;
        }
        FreeSlots room = FreeSlots.of(book, task.kind(), rules.get(), now, now);
        if (!rules.get().misplaced(attempt, room)) {
            return Reason.LANDED_WELL;
        }
        if (room.expectedMillis(task) == Double.POSITIVE_INFINITY) {
            return Reason.NO_BETTER_ROOM; // killed, it would be back at once where it is
        }
        if (task.live.size() + task.requested < settings.maxAttempts && book.backups(task.kind()) < cap(task.kind())) {
            return Reason.HOLDS_ITS_PLACE;
        }
        boolean back = attempt.node().equals(task.movedFrom);
        return movable && !back ? Reason.SLOW_NODE : Reason.MOVED_ENOUGH;
    }

    private Optional<Rules> rules(TaskKind kind, long now) {
        PhaseStats stats = PhaseStats.of(book, kind);
        Estimator estimator = Estimators.of(settings, stats);
        if (settings.profile == Settings.Profile.PAPER) {
            return Optional.of(new PaperRules(book, kind, settings, estimator, now));
        }
        Baseline baseline = Baseline.of(book, kind, stats, estimator, now);
        return baseline.known()
                ? Optional.of(new HeddleRules(book, kind, settings, estimator, baseline, now))
                : Optional.empty();
    }

    private List<Decision> afford(TaskKind kind, List<Decision> ranked, FreeSlots places) {
        List<Decision> verdicts = new ArrayList<>(ranked.size());
        int room = cap(kind) - book.backups(kind);
        double purse = settings.budget - book.spent();
        for (Decision candidate : ranked) {
            Decision verdict = priced(candidate, purse);
            if (verdict.action() == Decision.Action.LAUNCH) {
                TaskRecord task = book.taskRecord(verdict.task());
                boolean placed = room > 0 && task != null && places.take(task, verdict.remainingMillis());
                verdict = placed ? verdict : verdict.because(room > 0 ? Reason.NO_ROOM : Reason.CAP_REACHED);
                room -= placed ? 1 : 0;
            }
            if (verdict.action() == Decision.Action.LAUNCH && !Double.isNaN(verdict.cost())) {
                purse -= verdict.cost();
            }
            verdicts.add(verdict);
        }
        return verdicts;
    }

    private long wantedSince(TaskKind kind, long now) {
        return wantedSince.getOrDefault(kind, now);
    }

    /** Since when tasks deserve a backup and find no room. */
    private void remember(TaskKind kind, List<Decision> verdicts, long now) {
        boolean launched = verdicts.stream().anyMatch(v -> v.action() == Decision.Action.LAUNCH);
        boolean wanted = verdicts.stream().anyMatch(v -> v.reason() == Reason.NO_ROOM);
        if (launched || !wanted) {
            wantedSince.remove(kind);
        } else {
            wantedSince.putIfAbsent(kind, now);
        }
    }

    /** What the backup costs against what the time it saves is worth. */
    private Decision priced(Decision launch, double purse) {
        if (Double.isNaN(pricePerSlotSecond) || Double.isNaN(launch.freshMillis())) {
            return launch;
        }
        double cost = pricePerSlotSecond * launch.freshMillis() / 1000;
        Decision priced = launch.costing(cost);
        double saved = (launch.remainingMillis() - launch.freshMillis()) / 1000;
        if (settings.worthPerSecond > 0 && cost > settings.worthPerSecond * saved) {
            return priced.because(Reason.TOO_EXPENSIVE);
        }
        return cost > purse ? priced.because(Reason.BUDGET_SPENT) : priced;
    }

    private static Decision ofKind(TaskKind kind, Reason reason) {
        return new Decision(kind.name(), null, null, reason, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
    }
}
