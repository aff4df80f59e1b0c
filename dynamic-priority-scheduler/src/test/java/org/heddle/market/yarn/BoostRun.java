// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.heddle.market.model.amount.SpendingRate;

/**
 * Ten users who work off ten equal jobs each in a {@link MarketFixture}; tasks take one slot and a given virtual time.
 * User n pays four times as much while it is at job n.
 */
public final class BoostRun {
    private static final int USERS = 10;
    private static final int JOBS = 10;
    private static final int SLOTS = 26;
    private static final int SLOT_MB = 1_000;
    /** Virtual milliseconds that one job takes alone on the whole cluster. */
    private static final long WORK = 40_000;

    private static final long STEP = 1_000;
    /** Times the work: a run that takes longer has stalled. */
    private static final int PATIENCE = 10;

    private final MarketFixture fixture;
    private final long taskMillis;
    private final long intervalMillis;
    private final boolean revokes;
    private final int tasksPerJob;
    private final List<User> users = new ArrayList<>();
    private MockNM node;
    private long nowMillis;
    private long nextBoundary;
    private long lost;
    private int revoked;

    /**
     * What came of it.
     *
     * @param boost mean time of a job without, by that of one with the boost
     * @param makespan in times of one job alone on the cluster
     * @param wasted part of all work that was done in vain, in containers that were revoked
     * @param revoked containers
     */
    public record Outcome(double boost, double makespan, double wasted, int revoked) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "boost %.4f, makespan %.3f, wasted %.3f%% in %d revoked containers",
                    boost,
                    makespan,
                    100 * wasted,
                    revoked);
        }
    }

    /** One user, one application, one job after the other. */
    private static final class User {
        final String name;
        final MarketFixture.App app;
        final Map<ContainerId, Long> since = new LinkedHashMap<>();
        final double[] took = new double[JOBS];
        int job;
        int unasked;
        int unfinished;
        long jobBegan;
        boolean boosted;

        User(String name, MarketFixture.App app) {
            this.name = name;
            this.app = app;
        }

        boolean isDone() {
            return job == JOBS;
        }
    }

    /** @param preemptionMillis 0 for none */
    @SuppressWarnings("NullAway.Init") // the node comes with the first step
    public BoostRun(Path directory, long taskMillis, long intervalMillis, long preemptionMillis) throws Exception {
        this.taskMillis = taskMillis;
        this.intervalMillis = intervalMillis;
        this.revokes = preemptionMillis > 0;
        this.tasksPerJob = (int) (WORK * SLOTS / taskMillis);
        this.fixture = new MarketFixture(
                directory,
                MarketKeys.INTERVAL_MS.name(),
                String.valueOf(intervalMillis),
                MarketKeys.PREEMPTION_INTERVAL_MS.name(),
                String.valueOf(preemptionMillis));
    }

    public Outcome run() throws Exception {
        try (fixture) {
            node = fixture.node("127.0.0.1", SLOTS * SLOT_MB, 1_000);
            for (int i = 0; i < USERS; i++) {
                String name = "user" + i;
                fixture.queue(name, "1", "1000000");
                users.add(new User(name, fixture.app(name, name)));
            }
            for (User user : users) {
                begin(user);
            }
            bid();
            nextEpoch();
            nextBoundary = intervalMillis;
            node.nodeHeartbeat(true);
            fixture.rm.drainEvents();
            masters();
            while (!users.stream().allMatch(User::isDone)) {
                step();
                if (nowMillis > PATIENCE * USERS * JOBS * WORK) {
                    throw new IllegalStateException("jobs that alone take " + USERS * JOBS * WORK
                            + " ms are not over after " + nowMillis + " ms, and " + revoked + " revoked containers");
                }
            }
            return outcome();
        }
    }

    private Outcome outcome() {
        double with = 0;
        double without = 0;
        for (int u = 0; u < USERS; u++) {
            for (int j = 0; j < JOBS; j++) {
                if (u == j) {
                    with += users.get(u).took[j] / USERS;
                } else {
                    without += users.get(u).took[j] / (USERS * (JOBS - 1));
                }
            }
        }
        double all = (double) USERS * JOBS * tasksPerJob * taskMillis;
        double alone = (double) tasksPerJob * taskMillis / SLOTS;
        return new Outcome(without / with, nowMillis / alone, lost / all, revoked);
    }

    private void begin(User user) throws Exception {
        user.jobBegan = nowMillis;
        user.unfinished = tasksPerJob;
        user.unasked = tasksPerJob;
        ask(user);
    }

    /** Asks for all that has neither run nor been granted. */
    private void ask(User user) throws Exception {
        boolean again = true;
        while (again) {
            List<ResourceRequest> asks = List.of(ResourceRequest.newInstance(
                    Priority.newInstance(10), ResourceRequest.ANY, Resource.newInstance(SLOT_MB, 1), user.unasked));
            again = take(user, user.app.heartbeat(asks, List.of()));
        }
    }

    /** Whether some of its containers were revoked, so that it must ask again. */
    private boolean take(User user, AllocateResponse response) {
        int before = revoked;
        for (Container container : response.getAllocatedContainers()) {
            user.since.put(container.getId(), nowMillis);
            user.unasked--;
        }
        for (ContainerStatus status : response.getCompletedContainersStatuses()) {
            Long began = user.since.remove(status.getContainerId());
            if (began != null && status.getExitStatus() != ContainerExitStatus.SUCCESS) {
                lost += nowMillis - began;
                revoked++;
                user.unasked++;
            }
        }
        return revoked > before;
    }

    private void step() throws Exception {
        nowMillis += STEP;
        fixture.after(STEP);
        if (nowMillis == nextBoundary) {
            nextBoundary += intervalMillis;
            bid();
            nextEpoch();
        }
        boolean ended = endTasks();
        if (ended || revokes) {
            masters();
            fixture.heartbeat();
            masters();
        }
        if (revokes) {
            fixture.scheduler().update();
        }
    }

    private void nextEpoch() throws Exception {
        fixture.scheduler().tick();
        fixture.market().record(fixture.by(), "wait", "bills");
    }

    /** Rates follow the jobs; they count from the next epoch on. */
    private void bid() throws Exception {
        for (int i = 0; i < USERS; i++) {
            User user = users.get(i);
            boolean boosted = user.job == i;
            if (boosted != user.boosted) {
                user.boosted = boosted;
                fixture.market().setSpending(fixture.by(), user.name, SpendingRate.parse(boosted ? "4" : "1"));
            }
        }
    }

    private boolean endTasks() throws Exception {
        Map<ApplicationId, List<ContainerStatus>> statuses = new LinkedHashMap<>();
        for (User user : users) {
            List<ContainerId> over = new ArrayList<>();
            user.since.forEach((id, began) -> {
                if (nowMillis - began >= taskMillis) {
                    over.add(id);
                }
            });
            for (ContainerId id : over) {
                user.since.remove(id);
                user.unfinished--;
                statuses.computeIfAbsent(user.app.app.getApplicationId(), any -> new ArrayList<>())
                        .add(ContainerStatus.newInstance(id, ContainerState.COMPLETE, "", ContainerExitStatus.SUCCESS));
            }
            if (!user.isDone() && user.unfinished == 0) {
                user.took[user.job] = nowMillis - user.jobBegan;
                user.job++;
                if (!user.isDone()) {
                    begin(user);
                }
            }
        }
        if (!statuses.isEmpty()) {
            node.nodeHeartbeat(statuses, true);
            fixture.rm.drainEvents();
        }
        return !statuses.isEmpty();
    }

    private void masters() throws Exception {
        for (User user : users) {
            if (take(user, user.app.heartbeat(List.of(), List.of()))) {
                ask(user);
            }
        }
    }
}
