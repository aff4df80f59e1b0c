// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.engine.Trial;
import org.heddle.scheduler.engine.Turn;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Laws of {@link SojournOrder}, on a cluster of ten containers whose tasks take ten seconds each. */
@Tag("pure")
class SojournOrderTest {
    private static final int SLOTS = 10;
    private static final int TASK_SECONDS = 10;
    private static final long[] ONE = {1};

    private final ShareEngine engine = new ShareEngine(1, new SojournOrder(), () -> true);
    private final List<App> apps = new ArrayList<>();
    private long second;

    SojournOrderTest() {
        engine.setCapacity(new long[] {SLOTS}, 1);
    }

    /** A job of stages, each of which asks for its tasks when all of the one before have ended. */
    private final class App {
        private final Schedulable schedulable;
        private final int[] stages;
        private final List<Long> running = new ArrayList<>();
        private int stage;
        private long end;
        private long idleUntil;

        App(Schedulable parent, int priority, int... stages) {
            this.stages = stages;
            this.schedulable = engine.addApplication(
                    parent,
                    "a" + apps.size(),
                    new double[] {1},
                    priority,
                    new ServedWork(() -> 1000 * second, engine::dominantShare));
            schedulable.attach(this);
            engine.setAsk(schedulable, ONE, stages[0]);
            apps.add(this);
        }

        private void endTasks() {
            while (!running.isEmpty() && running.get(0) <= second) {
                running.remove(0);
                engine.release(schedulable, ONE);
            }
            if (end > 0 || second < idleUntil || !running.isEmpty() || schedulable.pending() > 0) {
                return;
            }
            if (++stage < stages.length) {
                engine.setAsk(schedulable, ONE, stages[stage]);
            } else {
                end = second;
                engine.remove(schedulable);
            }
        }
    }

    private App app(int... stages) {
        return new App(engine.root(), 0, stages);
    }

    private void tick() {
        apps.forEach(App::endTasks);
        long free = SLOTS - engine.root().usage(0);
        engine.offer(new long[] {free}, Integer.MAX_VALUE, second, (chosen, gate) -> {
            ((App) Objects.requireNonNull(chosen.owner())).running.add(second + TASK_SECONDS);
            return engine.asks(chosen).get(0);
        });
        second++;
    }

    private void runFor(int seconds) {
        for (int i = 0; i < seconds; i++) {
            tick();
        }
    }

    private void runToEnd(App app) {
        for (int i = 0; app.end == 0 && i < 100_000; i++) {
            tick();
        }
        assertThat(app.end).as("it ends").isPositive();
    }

    @Test
    void theShorterOfTwoEndsFirstAndTheLongerNoLaterThanWithEqualShares() {
        App large = app(100);
        App small = app(10);
        runToEnd(large);
        assertThat(small.end).isEqualTo(10);
        assertThat(large.end).isEqualTo(110);
    }

    @Test
    void theTurnOfOneThatWaits() {
        App large = app(100);
        App second = app(40);
        runFor(65); // now it is known how long tasks take
        engine.renew();
        Turn turn = Objects.requireNonNull(engine.turn(large.schedulable));
        assertThat(turn.place()).isEqualTo(turn.waiting());
        runToEnd(large);
        assertThat(turn.endMillis()).isCloseTo(1000 * (large.end - 65), within(10_000L));
        assertThat(second.end).isLessThan(large.end);
    }

    @Test
    void prioritiesComeFirst() {
        App small = app(10);
        App large = new App(engine.root(), 1, 100);
        runToEnd(small);
        assertThat(large.end).isEqualTo(100);
    }

    /** A stream of small jobs that fills the cluster delays a large one no more than equal sharing would. */
    @Test
    void aLargeJobIsNotStarvedByAStreamOfSmallOnes() {
        App large = app(100);
        for (int i = 0; i < 150; i++) {
            app(10);
            runFor(TASK_SECONDS);
        }
        assertThat(large.end).isPositive().isLessThanOrEqualTo(endWithEqualShares() + TASK_SECONDS);
    }

    /** When that large job would end if all jobs shared one task a second equally at every moment, in seconds. */
    private static long endWithEqualShares() {
        int stepsInSecond = 100;
        double[] left = new double[1 + 150];
        left[0] = 100;
        int step = 0;
        for (; left[0] > 0; step++) {
            if (step % (TASK_SECONDS * stepsInSecond) == 0) {
                left[1 + step / (TASK_SECONDS * stepsInSecond)] = 10;
            }
            double each = 1.0
                    / stepsInSecond
                    / Arrays.stream(left).filter(work -> work > 0).count();
            for (int i = 0; i < left.length; i++) {
                left[i] -= each;
            }
        }
        return step / stepsInSecond;
    }

    /** A session that asks for ever takes no more of a stream of jobs than its equal share. */
    @Test
    void aLongLivedApplicationDoesNotStarveLaterJobs() {
        forEver();
        runFor(500);
        App small = app(10);
        runFor(2 * TASK_SECONDS + 1);
        assertThat(small.end).isPositive();
    }

    @Test
    void smallPortionsGainNothing() {
        assertThat(endBesideMediumJobs(10, 10, 10, 10, 10, 10)).isGreaterThanOrEqualTo(endBesideMediumJobs(60));
    }

    @Test
    void lateReducesGainNothing() {
        assertThat(endBesideMediumJobs(40, 20)).isGreaterThanOrEqualTo(endBesideMediumJobs(60));
    }

    /** Dynamic allocation asks for 1, 2, 4 and so on. */
    @Test
    void growingAsksGainNothing() {
        assertThat(endBesideMediumJobs(1, 2, 4, 8, 16, 29)).isGreaterThanOrEqualTo(endBesideMediumJobs(60));
    }

    /** When a job of these stages ends beside five jobs of 40 tasks that came at the same time. */
    private static long endBesideMediumJobs(int... stages) {
        SojournOrderTest cluster = new SojournOrderTest();
        App tried = cluster.app(stages);
        for (int i = 0; i < 5; i++) {
            cluster.app(40);
        }
        cluster.runToEnd(tried);
        return tried.end;
    }

    /** None of these ways gains anything beside the jobs of the same user and those of another one. */
    @ParameterizedTest
    @ValueSource(strings = {"10,10,10,10,10,10", "40,20", "1,2,4,8,16,29", "30,30", "20,20,20"})
    void inALeafOfSeveralUsersAJobOfPartsEndsNoSooner(String parts) {
        int[] stages =
                Arrays.stream(parts.split(",", -1)).mapToInt(Integer::parseInt).toArray();
        assertThat(endBesideAnotherUser(stages)).isGreaterThanOrEqualTo(endBesideAnotherUser(60));
    }

    /** When a job of these stages ends beside three jobs of its user and two of another, all of 40 tasks. */
    private static long endBesideAnotherUser(int... stages) {
        SojournOrderTest cluster = new SojournOrderTest();
        Schedulable[] users = cluster.twoUsers();
        App tried = cluster.new App(users[0], 0, stages);
        for (int i = 0; i < 5; i++) {
            cluster.new App(users[i / 2 % 2], 0, 40);
        }
        cluster.runToEnd(tried);
        return tried.end;
    }

    private Schedulable[] twoUsers() {
        engine.setOrder(engine.root(), new DrfOrder());
        return new Schedulable[] {
            engine.addGroup(engine.root(), "alice", new SojournOrder(), new double[] {1}),
            engine.addGroup(engine.root(), "bob", new SojournOrder(), new double[] {1})
        };
    }

    @Test
    void aUserWhoSplitsAJobHasNoMoreOfALeafOfSeveralUsers() {
        assertThat(servedOfTwoUsers(6, 50)).isEqualTo(servedOfTwoUsers(1, 300));
    }

    /** What the second user's job has been served after 100 s beside so many jobs of another user. */
    private static double servedOfTwoUsers(int jobs, int tasks) {
        SojournOrderTest cluster = new SojournOrderTest();
        Schedulable[] users = cluster.twoUsers();
        for (int i = 0; i < jobs; i++) {
            cluster.new App(users[0], 0, tasks);
        }
        App honest = cluster.new App(users[1], 0, 300);
        cluster.runFor(100);
        return cluster.work(honest.schedulable);
    }

    @Test
    void movedApplicationsTakeTheirServedWorkAlong() {
        Schedulable other = engine.addGroup(engine.root(), "other", new SojournOrder(), new double[] {1});
        App app = app(20);
        runFor(15);
        double before = work(app.schedulable);
        Schedulable moved = engine.move(app.schedulable, other);
        assertThat(work(moved)).isEqualTo(before).isPositive();
    }

    /** The sojourn order with each application's remaining size multiplied by a factor of its own. */
    private static final class WrongSizes implements ShareOrder {
        private final SojournOrder right = new SojournOrder();

        @Override
        public String name() {
            return right.name();
        }

        @Override
        public boolean entitles() {
            return right.entitles();
        }

        @Override
        public void added(SchedulableView child) {
            right.added(child);
        }

        @Override
        public void changed(SchedulableView child) {
            right.changed(child);
        }

        @Override
        public void removed(SchedulableView child) {
            right.removed(child);
        }

        @Override
        public double key(SchedulableView child) {
            double factor = Math.pow(10, new SplittableRandom(child.sequence()).nextGaussian());
            return right.key(child) + (factor - 1) * right.remainingWork(child);
        }
    }

    /**
     * Sizes that are wrong by a lognormal factor of ten: the mean job takes 115 s instead of 100 s, with equal shares
     * 138 s.
     */
    @Test
    void wrongSizesCostLittle() {
        double right = meanTime(new SojournOrder());
        double wrong = meanTime(new WrongSizes());
        assertThat(wrong).isLessThan(1.2 * right);
        assertThat(wrong).isLessThan(meanTime(new DrfOrder()));
    }

    /** Of 200 jobs whose sizes differ by three orders of magnitude, in seconds. */
    private static double meanTime(ShareOrder order) {
        SojournOrderTest cluster = new SojournOrderTest();
        cluster.engine.setOrder(cluster.engine.root(), order);
        SplittableRandom random = new SplittableRandom(1);
        long waited = 0;
        for (int i = 0; i < 200; i++) {
            cluster.app((int) Math.ceil(Math.pow(10, 3 * Math.pow(random.nextDouble(), 2))));
            waited -= cluster.second;
            cluster.runFor(random.nextInt(200));
        }
        for (App app : List.copyOf(cluster.apps)) {
            cluster.runToEnd(app);
            waited += app.end;
        }
        return waited / 200.0;
    }

    /** The planner of preemption tries out what would be if containers ended. */
    @Test
    void whatIsOnlyTriedOutIsNotMeasured() {
        App app = app(20);
        runFor(1);
        Trial trial = engine.trial();
        trial.release(app.schedulable, ONE);
        trial.revert();
        runFor(5);
        assertThat(work(app.schedulable)).isEqualTo(6_000);
    }

    private App forEver() {
        int[] stages = new int[1_000];
        Arrays.fill(stages, SLOTS);
        return app(stages);
    }

    @Test
    void furtherStagesGainNothing() {
        assertThat(endBesideMediumJobs(30, 30)).isGreaterThanOrEqualTo(endBesideMediumJobs(60));
        assertThat(endBesideMediumJobs(20, 20, 20)).isGreaterThanOrEqualTo(endBesideMediumJobs(60));
    }

    /**
     * Idle sessions have a place of their own each, and equal sharing would give them nothing: they slow nobody down.
     */
    @Test
    void idleSessionsDoNotDelayALargeJob() {
        App large = app(100);
        for (int i = 0; i < 200; i++) {
            engine.addApplication(
                    engine.root(),
                    "idle" + i,
                    new double[] {1},
                    0,
                    new ServedWork(() -> 1000 * second, engine::dominantShare));
        }
        for (int i = 0; i < 150; i++) {
            app(10);
            runFor(TASK_SECONDS);
        }
        assertThat(large.end).isPositive().isLessThanOrEqualTo(endWithEqualShares() + TASK_SECONDS);
    }

    /** A session that was idle for long has saved up nothing: two that want everything share from then on. */
    @Test
    void anIdleSessionSavesUpNothing() {
        App session = forEver();
        App busy = forEver();
        runFor(TASK_SECONDS);
        session.idleUntil = 2_000;
        runFor(2_000);
        double before = work(session.schedulable);
        double busyBefore = work(busy.schedulable);
        runFor(1_000);
        assertThat(work(session.schedulable) - before)
                .isCloseTo(work(busy.schedulable) - busyBefore, within(1_000_000 * 0.05));
    }

    /** The order of a queue is made anew at each reload of its file. */
    @Test
    void aReloadDoesNotPutLongLivedApplicationsLast() {
        App session = forEver();
        runFor(500);
        engine.setOrder(engine.root(), new SojournOrder());
        for (int i = 0; i < 10; i++) {
            app(100);
        }
        double before = work(session.schedulable);
        runFor(1_000);
        assertThat(work(session.schedulable)).isGreaterThan(before + 1000.0 * 1_000 / 11 / 2);
    }

    private double work(Schedulable schedulable) {
        return ((ServedWork) Objects.requireNonNull(schedulable.meter())).work(1000 * second);
    }
}
