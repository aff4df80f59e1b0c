// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;

/**
 * Queues without credit hold a whole cluster with long tasks and ask for more; queues that pay come now and then for
 * less than they are entitled to, some with containers that only fit where several others have gone. Every application
 * has an ApplicationMaster. The longer the tasks, the rarer are natural ends, and the more is taken by preemption: the
 * least work would be lost if the youngest containers went, wherever they run. The run ends when an hour is over and all
 * who pay have been served, but lasts no longer than two more tasks.
 */
final class TakeOverRun {
    private static final int SLOTS_PER_NODE = 12;
    private static final int SLOT_MB = 1_000;
    private static final int BURSTS_EACH = 2;
    private static final int LARGE = 4;
    private static final int BACKLOG = 60;
    private static final long INTERVAL = 20_000;
    private static final long SHORT_TASK = 300_000;
    private static final long WARM_UP = 1_200_000;
    private static final long MEASURED = 3_600_000;
    private static final long STEP = 2_000;

    private final MarketFixture fixture;
    private final int nodeCount;
    /** Queues that pay, and as many that do not. */
    private final int queues;

    private final SplittableRandom random;
    private final long longTask;
    private final List<Holder> holders = new ArrayList<>();
    private final List<Burst> waiting = new ArrayList<>();
    private final Map<NodeId, MockNM> nodes = new HashMap<>();
    private long now;
    private long used;
    private long lost;
    private int revoked;
    private int ofPayers;
    private final List<Long> waits = new ArrayList<>();

    /**
     * What came of it.
     *
     * @param wasted part of all slot-time used that was lost in revoked containers
     * @param revoked containers
     * @param revokedOfPayers those among them whose queue paid
     * @param mastersLost applications that had to begin again
     * @param waitMillis of each time that somebody came, from coming to having all, or to the end of the run
     * @param unserved how many of these had not got all by then
     */
    public record Outcome(
            double wasted, int revoked, int revokedOfPayers, long mastersLost, List<Long> waitMillis, int unserved) {
        long longestWaitMillis() {
            return Collections.max(waitMillis);
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "wasted %.3f%% in %d revoked containers (%d of payers), masters lost %d; %d bursts waited %.0f s,"
                            + " at most %d s, %d were not served",
                    100 * wasted,
                    revoked,
                    revokedOfPayers,
                    mastersLost,
                    waitMillis.size(),
                    waitMillis.stream().mapToLong(wait -> wait).average().orElse(0) / 1_000,
                    longestWaitMillis() / 1_000,
                    unserved);
        }
    }

    private record Task(NodeId node, long began, long ends, int slots) {}

    /** Somebody who pays wants so many containers from now on. */
    private static final class Burst {
        final Holder of;
        final long at;
        int missing;

        Burst(Holder of, long at, int missing) {
            this.of = of;
            this.at = at;
            this.missing = missing;
        }
    }

    private static final class Holder {
        final MarketFixture.App app;
        final boolean pays;
        final int slots;
        final Map<ContainerId, Task> tasks = new HashMap<>();
        int wants;

        Holder(MarketFixture.App app, boolean pays, int slots) {
            this.app = app;
            this.pays = pays;
            this.slots = slots;
        }
    }

    /**
     * @param nodeCount 5 or more, with six queues of each kind for five nodes
     * @param preemptionMillis 0 for no preemption
     * @param maxLost the part of all work that preemption may lose
     * @param longTask how long each container of those runs who do not pay, in milliseconds
     * @param seed of when the queues that pay come, and for how much
     */
    TakeOverRun(Path directory, int nodeCount, long preemptionMillis, String maxLost, long longTask, long seed)
            throws Exception {
        this.nodeCount = nodeCount;
        this.queues = nodeCount * 6 / 5;
        this.random = new SplittableRandom(seed);
        this.longTask = longTask;
        fixture = new MarketFixture(
                directory,
                MarketKeys.INTERVAL_MS.name(),
                String.valueOf(INTERVAL),
                MarketKeys.PREEMPTION_INTERVAL_MS.name(),
                String.valueOf(preemptionMillis),
                MarketKeys.PREEMPTION_MAX_LOST_WORK.name(),
                maxLost);
    }

    Outcome run() throws Exception {
        try (fixture) {
            for (int i = 0; i < nodeCount; i++) {
                MockNM node = fixture.node("127.0.0." + (i + 1), SLOTS_PER_NODE * SLOT_MB, 1_000);
                nodes.put(node.getNodeId(), node);
            }
            // Payers first, so that each has its master while there is room.
            for (int i = 0; i < queues; i++) {
                String name = "payer" + i;
                fixture.queue(name, "1", "1000000");
                holders.add(new Holder(managedApp(name), true, i % 3 == 0 ? LARGE : 1));
            }
            for (int i = 0; i < queues; i++) {
                String name = "unpaid" + i;
                fixture.queue(name, "1", "0");
                holders.add(new Holder(managedApp(name), false, 1));
            }
            for (Holder holder : holders) {
                holder.wants = holder.pays ? 0 : BACKLOG;
                ask(holder);
            }
            List<Burst> to = plan();
            long end = WARM_UP + MEASURED;
            while (now < end || (!waiting.isEmpty() && now < end + 2 * longTask)) {
                while (!to.isEmpty() && to.get(0).at <= now) {
                    Burst next = to.remove(0);
                    next.of.wants += next.missing;
                    waiting.add(next);
                    ask(next.of);
                }
                step();
            }
            return outcome();
        }
    }

    private MarketFixture.App managedApp(String name) throws Exception {
        List<MockNM> all = List.copyOf(fixture.nodes.values());
        return fixture.managedApp(name, name, SLOT_MB, all.get(holders.size() % nodeCount));
    }

    private List<Burst> plan() {
        List<Burst> plan = new ArrayList<>();
        for (Holder holder : holders) {
            for (int i = 0; holder.pays && i < BURSTS_EACH; i++) {
                // Halves of the hour, so that a queue is idle before its next burst.
                long half = MEASURED / BURSTS_EACH;
                long at = WARM_UP + i * half + random.nextLong(half / STEP / 2) * STEP;
                plan.add(new Burst(holder, at, holder.slots == 1 ? random.nextInt(3, 9) : 2));
            }
        }
        plan.sort((a, b) -> Long.compare(a.at, b.at));
        return plan;
    }

    private Outcome outcome() {
        long mastersLost = holders.stream()
                .filter(holder -> holder.app.app.getAppAttempts().size() > 1)
                .count();
        waiting.forEach(burst -> waits.add(now - burst.at));
        return new Outcome((double) lost / used, revoked, ofPayers, mastersLost, waits, waiting.size());
    }

    private void step() throws Exception {
        now += STEP;
        fixture.after(STEP);
        if (now % INTERVAL == 0) {
            fixture.scheduler().tick();
            fixture.market().record(fixture.by(), "wait", "bills");
        }
        Map<NodeId, Map<ApplicationId, List<ContainerStatus>>> ended = endTasks();
        for (Map.Entry<NodeId, MockNM> node : nodes.entrySet()) {
            node.getValue().nodeHeartbeat(ended.getOrDefault(node.getKey(), Map.of()), true);
        }
        fixture.rm.drainEvents();
        fixture.scheduler().update();
        for (Holder holder : holders) {
            int before = holder.wants;
            take(holder, holder.app.heartbeat(List.of(), List.of()));
            if (holder.wants > before || (!holder.pays && holder.wants < BACKLOG / 2)) {
                holder.wants = holder.pays ? holder.wants : BACKLOG;
                ask(holder);
            }
            if (now > WARM_UP) {
                holder.tasks.values().forEach(task -> used += task.slots() * STEP);
                used += STEP; // its master
            }
        }
    }

    private Map<NodeId, Map<ApplicationId, List<ContainerStatus>>> endTasks() {
        Map<NodeId, Map<ApplicationId, List<ContainerStatus>>> ended = new HashMap<>();
        for (Holder holder : holders) {
            holder.tasks.entrySet().removeIf(entry -> {
                Task task = entry.getValue();
                if (task.ends() > now) {
                    return false;
                }
                ended.computeIfAbsent(task.node(), any -> new HashMap<>())
                        .computeIfAbsent(holder.app.app.getApplicationId(), any -> new ArrayList<>())
                        .add(ContainerStatus.newInstance(
                                entry.getKey(), ContainerState.COMPLETE, "", ContainerExitStatus.SUCCESS));
                return true;
            });
        }
        return ended;
    }

    /** Asks for all that has not been granted. */
    private void ask(Holder holder) throws Exception {
        take(
                holder,
                holder.app.heartbeat(
                        List.of(ResourceRequest.newInstance(
                                Priority.newInstance(10),
                                ResourceRequest.ANY,
                                Resource.newInstance(holder.slots * SLOT_MB, holder.slots),
                                holder.wants)),
                        List.of()));
    }

    private void take(Holder holder, AllocateResponse response) {
        for (Container container : response.getAllocatedContainers()) {
            long takes = holder.pays ? SHORT_TASK : longTask;
            if (!holder.pays && now < WARM_UP) {
                takes = random.nextLong(longTask); // they do not end all at once, so that some are always young
            }
            holder.tasks.put(container.getId(), new Task(container.getNodeId(), now, now + takes, holder.slots));
            holder.wants = Math.max(0, holder.wants - 1);
            served(holder);
        }
        for (ContainerStatus status : response.getCompletedContainersStatuses()) {
            Task task = holder.tasks.remove(status.getContainerId());
            if (task != null) {
                revoked++;
                ofPayers += holder.pays ? 1 : 0;
                lost += (now - task.began()) * task.slots();
                holder.wants++;
            }
        }
    }

    /** Of two bursts of a queue the first is served first. */
    private void served(Holder holder) {
        Burst first =
                waiting.stream().filter(burst -> burst.of == holder).findFirst().orElse(null);
        if (first != null && --first.missing == 0) {
            waiting.remove(first);
            waits.add(now - first.at);
        }
    }
}
