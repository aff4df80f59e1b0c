// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides which running tasks get a backup. It reads an {@link AttemptRegistry} and changes nothing in it: the caller
 * carries out the decisions and enters them into the registry.
 *
 * <pre>
 *   observations -> AttemptRegistry -> scan(now) -> decisions -> caller acts -> registry.requested / registry.moved
 * </pre>
 */
public final class LatePolicy {
    // Ties by task id make a scan a function of its input.
    private static final Comparator<Decision> FARTHEST_FIRST =
            Comparator.comparingDouble(Decision::remainingMillis).reversed().thenComparing(Decision::task);

    // A request that has not been served after some heartbeats waits for a slot.
    private static final long ROOM_AFTER_MILLIS = 3_000;
    // With more tasks of a kind some end early enough to show how long the others should take.
    private static final int FEW_TASKS = 3;
    // How many backups of a task may be moved because they were placed badly.
    private static final int MOST_MOVES = 2;
    // Slots that became free and took no backup: others of the cluster take them, so no more room is made.
    private static final int ROOMS_WITHOUT_START = 3;

    private final AttemptRegistry registry;
    private final Settings settings;
    private final Map<TaskKind, Judged> judged = new EnumMap<>(TaskKind.class);
    private final Map<TaskKind, Long> noSlotSince = new EnumMap<>(TaskKind.class);
    private final Map<TaskKind, Trials> trials = new EnumMap<>(TaskKind.class);

    public LatePolicy(AttemptRegistry registry, Settings settings) {
        this.registry = registry;
        this.settings = settings;
    }

    /** Judges every running task of both kinds. */
    public List<Decision> scan(long now) {
        List<Decision> decisions = new ArrayList<>();
        for (TaskKind kind : TaskKind.values()) {
            decisions.addAll(scan(kind, now));
        }
        return decisions;
    }

    /**
     * Judges every running task of a kind.
     *
     * @return one decision per running task: launches first, and of these the latest end first; or one decision with
     *     the
     *     name of the kind, if no task can be judged
     */
    public List<Decision> scan(TaskKind kind, long now) {
        return scan(kind, now, false);
    }

    /** @param asked whether a node asks for a task, so that it has a free slot */
    private List<Decision> scan(TaskKind kind, long now, boolean asked) {
        // 1. Anything to judge?
        AttemptRegistry.KindIndex index = registry.of(kind);
        if (index.running.isEmpty()) {
            return List.of();
        }
        // 2. Backups never take the slots of originals.
        if (index.waiting - index.requested > settings.waitingShare * index.liveAttempts) {
            return List.of(ofKind(kind, Reason.ORIGINALS_WAITING));
        }
        List<Decision> late = afterTimeout(kind, index, now);
        if (!late.isEmpty()) {
            return late;
        }
        // 3. What is normal?
        Optional<Rules> rules = rules(kind, now);
        if (rules.isEmpty()) {
            return List.of(ofKind(kind, Reason.NO_BASELINE));
        }
        // 4. Judge, 5. rank by longest time to end, 6. cap and free slots.
        List<Decision> held = new ArrayList<>();
        List<Decision> candidates = new ArrayList<>();
        for (TaskRecord task : index.running.values()) {
            Decision decision = rules.get().judge(task);
            if (decision.action() == Decision.Action.LAUNCH) {
                candidates.add(decision);
            } else {
                held.add(decision);
            }
        }
        candidates.sort(FARTHEST_FIRST);
        FreeSlots freeSlots = asked ? FreeSlots.given(rules.get()) : knownSlots(kind, rules.get(), now);
        List<Decision> decisions = applyLimits(kind, candidates, freeSlots, rules.get());
        rememberMissingSlots(kind, decisions, now);
        decisions.addAll(held);
        return decisions;
    }

    /** One task, or three, have no others to be compared with; only the user knows how long they take. */
    private List<Decision> afterTimeout(TaskKind kind, AttemptRegistry.KindIndex index, long now) {
        List<Decision> late = new ArrayList<>();
        if (settings.fewTasksMillis == 0 || index.total > FEW_TASKS || !index.finished.isEmpty()) {
            return late;
        }
        int capLeft = cap(kind) - registry.backups(kind);
        for (TaskRecord task : index.running.values()) {
            if (task.live.size() == 1 && task.pending() == 0 && late.size() < capLeft) {
                AttemptRecord attempt = task.live.get(0);
                if (now - attempt.startedAt() > settings.fewTasksMillis) {
                    late.add(Decision.of(attempt, Reason.FEW_TASKS_TIMEOUT, Double.NaN, Double.NaN));
                }
            }
        }
        return late;
    }

    /**
     * The paper's form of the question: a node asks for a task.
     *
     * @return the launch for this node, or why there is none
     */
    public Decision offer(TaskKind kind, String node, long now) {
        Optional<Rules> rules = rules(kind, now);
        if (rules.isPresent() && rules.get().slow(record(node))) {
            return ofKind(kind, Reason.ONLY_SLOW_NODES);
        }
        for (Decision decision : scan(kind, now, true)) {
            TaskRecord task = registry.taskRecord(decision.task());
            boolean elsewhere =
                    task == null || task.live.stream().noneMatch(a -> a.node().equals(node));
            if (decision.action() == Decision.Action.LAUNCH && elsewhere) {
                return decision;
            }
        }
        return ofKind(kind, Reason.NO_BENEFIT);
    }

    /** A node on which nothing has run has no progress, and no run time is known of it. */
    private NodeRecord record(String node) {
        NodeRecord known = registry.nodes().get(node);
        return known == null ? new NodeRecord(node, Integer.MAX_VALUE) : known;
    }

    /** Judges where a backup was placed: KEEP, or KILL so that it is placed again. */
    public Decision placed(AttemptRecord attempt, long now) {
        return Decision.of(attempt, placement(attempt, now), Double.NaN, Double.NaN);
    }

    /**
     * Whether a reduce gives its slot to a backup of a map that has been requested and finds none. If it is done, tell
     * {@link AttemptRegistry#madeRoom}.
     *
     * @return the KILL of the reduce's attempt; nothing if no room is to be made
     */
    public Optional<Decision> makeRoom(long now) {
        AttemptRegistry.KindIndex maps = registry.of(TaskKind.MAP);
        boolean mayBe = settings.makeRoom
                && maps.requested > 0
                && maps.waiting <= maps.requested
                && maps.roomMade < ROOMS_WITHOUT_START
                && now - maps.roomMadeAt >= ROOM_AFTER_MILLIS;
        if (!mayBe) {
            return Optional.empty();
        }
        Optional<Rules> rules = rules(TaskKind.MAP, now);
        if (rules.isEmpty()) {
            return Optional.empty();
        }
        WaitingReduces reduces = WaitingReduces.of(registry, rules.get());
        for (TaskRecord task : maps.running.values()) {
            if (task.requested > 0 && now - task.requestedAt >= ROOM_AFTER_MILLIS) {
                Decision map = rules.get().judge(task);
                AttemptRecord reduce = reduces.giverFor(task, map.remainingMillis());
                if (reduce != null) {
                    return Optional.of(
                            Decision.of(reduce, Reason.MAKES_ROOM, map.remainingMillis(), map.freshMillis()));
                }
            }
        }
        return Optional.empty();
    }

    /** The most backups of a kind that may be running or requested at once. */
    public int cap(TaskKind kind) {
        AttemptRegistry.KindIndex index = registry.of(kind);
        double stock = Math.max(
                settings.capMinimum,
                Math.max(settings.capTotal * index.total, settings.capRunning * index.running.size()));
        return (int) Math.max(stock, Math.floor(settings.capSlots * registry.slotsOf(kind)));
    }

    private Reason placement(AttemptRecord attempt, long now) {
        if (!attempt.backup()) {
            return Reason.PLACED_WELL;
        }
        TaskRecord task = attempt.task();
        boolean movable = task.moved < MOST_MOVES;
        if (task.live.stream().anyMatch(a -> a != attempt && a.node().equals(attempt.node()))) {
            return movable ? Reason.SAME_NODE : Reason.MOVED_ENOUGH;
        }
        Optional<Rules> rules = rules(task.kind(), now);
        if (rules.isEmpty()) {
            return Reason.PLACED_WELL;
        }
        FreeSlots freeSlots = judged(task.kind(), now).freeSlots(registry);
        if (!rules.get().misplaced(attempt, freeSlots)) {
            return Reason.PLACED_WELL;
        }
        if (freeSlots.expectedMillis(task) == Double.POSITIVE_INFINITY) {
            return Reason.NO_BETTER_ROOM; // after a kill it would return to the same node
        }
        if (task.live.size() + task.requested < settings.maxAttempts
                && registry.backups(task.kind()) < cap(task.kind())) {
            return Reason.HOLDS_ITS_PLACE;
        }
        boolean back = attempt.node().equals(task.movedFrom);
        return movable && !back ? Reason.SLOW_NODE : Reason.MOVED_ENOUGH;
    }

    /**
     * The rules of one kind at one time. They are made once for all questions about the same state, because a pass may
     * ask where each of hundreds of new backups was placed.
     */
    private static final class Judged {
        final TaskKind kind;
        final long now;
        final long version;
        final Optional<Rules> rules;
        private @Nullable FreeSlots freeSlots;

        Judged(TaskKind kind, long now, long version, Optional<Rules> rules) {
            this.kind = kind;
            this.now = now;
            this.version = version;
            this.rules = rules;
        }

        FreeSlots freeSlots(AttemptRegistry registry) {
            FreeSlots known = freeSlots;
            if (known == null) {
                known = FreeSlots.of(registry, kind, rules.orElseThrow(), now, now);
                freeSlots = known;
            }
            return known;
        }
    }

    private Optional<Rules> rules(TaskKind kind, long now) {
        return judged(kind, now).rules;
    }

    private Judged judged(TaskKind kind, long now) {
        Judged last = judged.get(kind);
        if (last == null || last.now != now || last.version != registry.version()) {
            last = new Judged(kind, now, registry.version(), newRules(kind, now));
            judged.put(kind, last);
        }
        return last;
    }

    private Optional<Rules> newRules(TaskKind kind, long now) {
        if (settings.profile == Settings.Profile.PAPER) {
            return Optional.of(new PaperRules(registry, kind, settings, now));
        }
        PhaseStats stats = PhaseStats.of(registry, kind);
        double silenceMillis = stats.silenceMillis(settings.silenceMillis());
        Estimator estimator = new Estimator(stats, silenceMillis);
        Baseline baseline = Baseline.of(registry, kind, stats, estimator, now);
        if (!baseline.known()) {
            return Optional.empty();
        }
        SteadyPace pace = new SteadyPace(baseline, registry.of(kind).noise, silenceMillis, now);
        Trials tried = trials.computeIfAbsent(kind, k -> new Trials());
        tried.look(registry.of(kind), pace, estimator, now);
        TimeToEnd times = new TimeToEnd(settings, baseline, estimator, stats.typicalFirstMillis(), now);
        TaskRules tasks = new TaskRules(settings, baseline, pace, tried, times, now);
        return Optional.of(new HeddleRules(registry.running(kind), tasks, times, baseline, pace, tried));
    }

    /** Whether reduces may make room for one more backup, while none is requested. */
    private boolean mayMakeRoom(TaskKind kind) {
        AttemptRegistry.KindIndex index = registry.of(kind);
        return settings.makeRoom
                && kind == TaskKind.MAP
                && index.requested == 0
                && index.roomMade < ROOMS_WITHOUT_START;
    }

    private List<Decision> applyLimits(TaskKind kind, List<Decision> ranked, FreeSlots freeSlots, Rules rules) {
        List<Decision> decisions = new ArrayList<>(ranked.size());
        int capLeft = cap(kind) - registry.backups(kind);
        boolean roomLeft = mayMakeRoom(kind);
        int trialsLeft = rules.trialsLeft();
        for (Decision candidate : ranked) {
            TaskRecord task = registry.taskRecord(candidate.task());
            double left = candidate.remainingMillis();
            boolean trial = task != null && rules.tries(task);
            if (trial && trialsLeft <= 0) {
                decisions.add(candidate.withReason(Reason.TASK_BOUND));
                continue;
            }
            boolean placed = capLeft > 0 && task != null && freeSlots.take(task, left);
            if (!placed && capLeft > 0 && task != null && roomLeft) {
                placed = WaitingReduces.of(registry, rules).giverFor(task, left) != null;
                roomLeft = false; // the first one is the last to end
            }
            if (!placed) {
                decisions.add(candidate.withReason(capLeft > 0 ? Reason.NO_ROOM : Reason.CAP_REACHED));
                continue;
            }
            decisions.add(candidate);
            capLeft--;
            if (trial) {
                trialsLeft--;
            }
        }
        return decisions;
    }

    private FreeSlots knownSlots(TaskKind kind, Rules rules, long now) {
        return FreeSlots.of(registry, kind, rules, noSlotSince.getOrDefault(kind, now), now);
    }

    /** Remembers since when tasks that deserve a backup have found no free slot. */
    private void rememberMissingSlots(TaskKind kind, List<Decision> decisions, long now) {
        boolean launched = decisions.stream().anyMatch(v -> v.action() == Decision.Action.LAUNCH);
        boolean wanted = decisions.stream().anyMatch(v -> v.reason() == Reason.NO_ROOM);
        if (launched || !wanted) {
            noSlotSince.remove(kind);
        } else {
            noSlotSince.putIfAbsent(kind, now);
        }
    }

    private static Decision ofKind(TaskKind kind, Reason reason) {
        return new Decision(kind.name(), null, null, reason, Double.NaN, Double.NaN, Double.NaN);
    }
}
