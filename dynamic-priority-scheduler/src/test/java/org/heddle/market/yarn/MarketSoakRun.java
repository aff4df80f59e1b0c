// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
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
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.protocolrecords.NMContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEventType;
import org.heddle.market.model.change.StatementLine;
import org.heddle.market.model.change.StatementRange;
import org.heddle.market.model.status.QueueStatus;
import org.heddle.scheduler.yarn.RetainedStateStore;

/**
 * The work of {@link MarketSoak}: two accounts that always want more, six others whose applications come and go, twelve
 * nodes. Tasks take two to four virtual minutes; a node that is lost comes back empty some minutes later; a
 * ResourceManager ends every half hour, and its successor learns from nodes and masters what runs.
 */
final class MarketSoakRun implements AutoCloseable {
    private static final int NODES = 12;
    private static final int SLOTS = 10;
    private static final int SLOT_MB = 1_000;
    private static final int GUESTS = 6;
    private static final long STEP = 5_000;
    private static final int RESTART_MINUTES = 30;
    private static final Priority PRIORITY = Priority.newInstance(10);

    private record Task(String host, Container container, long ends) {}

    /** An application, and what its master knows. */
    private static final class Master {
        final String account;
        final boolean always;
        final Map<ContainerId, Task> tasks = new LinkedHashMap<>();
        MarketFixture.App app;
        int wants;

        Master(String account, boolean always, MarketFixture.App app, int wants) {
            this.account = account;
            this.always = always;
            this.app = app;
            this.wants = wants;
        }
    }

    private final MarketFixture fixture;
    private final SplittableRandom random;
    private final List<Master> masters = new ArrayList<>();
    /** Killed; their nodes have yet to report that the tasks have ended. */
    private final List<Master> dead = new ArrayList<>();

    private final Map<String, Integer> away = new HashMap<>();
    private long now;
    private int minute;
    private int restarts;
    private int lostNodes;
    private int killed;
    private long ended;
    private long first;
    private long second;

    MarketSoakRun(Path directory, long seed) throws Exception {
        random = new SplittableRandom(seed);
        fixture = new MarketFixture(
                directory,
                new RetainedStateStore(),
                "yarn.resourcemanager.recovery.enabled",
                "true",
                "yarn.resourcemanager.ha.id",
                "x",
                YarnConfiguration.RM_MAX_COMPLETED_APPLICATIONS,
                "40",
                MarketKeys.PREEMPTION_INTERVAL_MS.name(),
                "60000");
        for (int i = 0; i < NODES; i++) {
            fixture.node(host(i), SLOTS * SLOT_MB, 1_000);
        }
        fixture.queue("first", "3", "100000000");
        fixture.queue("second", "1", "100000000");
        for (int i = 0; i < GUESTS; i++) {
            fixture.queue("guest" + i, "0.5", "1000000");
        }
        fixture.nextEpoch();
        submit("first", true, 300);
        submit("second", true, 300);
    }

    private static String host(int number) {
        return "127.0.0." + (number + 1);
    }

    MarketFixture fixture() {
        return fixture;
    }

    int restarts() {
        return restarts;
    }

    int lostNodes() {
        return lostNodes;
    }

    int killed() {
        return killed;
    }

    /** Of what the two accounts held that always want more, the part of the first, since the beginning. */
    double shareOfFirst() {
        return (double) first / (first + second);
    }

    String summary() {
        return "soak: " + minute + " virtual minutes, " + ended + " tasks, " + lostNodes + " nodes lost, " + killed
                + " applications killed, " + restarts + " restarts, share of the first " + shareOfFirst();
    }

    private void submit(String account, boolean always, int wants) throws Exception {
        Master master = new Master(account, always, fixture.app(account, account), wants);
        masters.add(master);
        ask(master);
    }

    /** One virtual minute. */
    void minute() throws Exception {
        minute++;
        if (minute % RESTART_MINUTES == 0) {
            restart();
        }
        if (random.nextInt(4) == 0) {
            loseNode();
        }
        for (String host : List.copyOf(away.keySet())) {
            int left = Objects.requireNonNull(away.get(host)) - 1;
            away.put(host, left);
            if (left <= 0) {
                away.remove(host);
                node(host).registerNode();
                fixture.rm.drainEvents();
            }
        }
        if (masters.size() < 20 && random.nextInt(2) == 0) {
            submit("guest" + random.nextInt(GUESTS), false, 1 + random.nextInt(20));
        }
        if (random.nextInt(6) == 0) {
            killSome();
        }
        for (long until = now + 60_000; now < until; ) {
            step();
        }
    }

    private MockNM node(String host) {
        return Objects.requireNonNull(fixture.nodes.get(host));
    }

    private void step() throws Exception {
        now += STEP;
        fixture.after(STEP);
        if (now % MarketFixture.INTERVAL == 0) {
            fixture.scheduler().tick();
            fixture.market().record(fixture.by(), "wait", "bills");
        }
        for (Map.Entry<String, MockNM> node : fixture.nodes.entrySet()) {
            if (!away.containsKey(node.getKey())) {
                node.getValue().nodeHeartbeat(endTasks(node.getKey()), true);
                fixture.rm.drainEvents();
            }
        }
        fixture.scheduler().update();
        fixture.rm.drainEvents();
        for (Master master : List.copyOf(masters)) {
            take(master, master.app.heartbeat(List.of(), List.of()));
            if (master.always && master.wants < 150) {
                master.wants = 300;
                ask(master);
            } else if (!master.always && master.wants == 0 && master.tasks.isEmpty()) {
                master.app.am.unregisterAppAttempt();
                fixture.rm.drainEvents();
                masters.remove(master);
            }
            first += master.account.equals("first") ? master.tasks.size() : 0;
            second += master.account.equals("second") ? master.tasks.size() : 0;
        }
    }

    private Map<ApplicationId, List<ContainerStatus>> endTasks(String host) {
        Map<ApplicationId, List<ContainerStatus>> over = new HashMap<>();
        masters.forEach(master -> end(master, host, now, over));
        dead.forEach(master -> end(master, host, Long.MAX_VALUE, over));
        dead.removeIf(master -> master.tasks.isEmpty());
        return over;
    }

    private void end(Master master, String host, long until, Map<ApplicationId, List<ContainerStatus>> over) {
        master.tasks.values().removeIf(task -> {
            boolean ends = task.host().equals(host) && task.ends() <= until;
            if (ends) {
                ended++;
                over.computeIfAbsent(master.app.app.getApplicationId(), any -> new ArrayList<>())
                        .add(ContainerStatus.newInstance(
                                task.container().getId(), ContainerState.COMPLETE, "", ContainerExitStatus.SUCCESS));
            }
            return ends;
        });
    }

    private void ask(Master master) throws Exception {
        take(
                master,
                master.app.heartbeat(
                        List.of(ResourceRequest.newInstance(
                                PRIORITY, ResourceRequest.ANY, Resource.newInstance(SLOT_MB, 1), master.wants)),
                        List.of()));
    }

    private void take(Master master, AllocateResponse response) throws Exception {
        for (Container container : response.getAllocatedContainers()) {
            long ends = now + 120_000 + random.nextLong(120_000);
            master.tasks.put(container.getId(), new Task(container.getNodeId().getHost(), container, ends));
            master.wants = Math.max(0, master.wants - 1);
        }
        boolean lost = false;
        for (ContainerStatus status : response.getCompletedContainersStatuses()) {
            if (master.tasks.remove(status.getContainerId()) != null) {
                master.wants++;
                lost = true;
            }
        }
        if (lost) {
            ask(master);
        }
    }

    /** The ResourceManager does not hear of a node any more, which takes all that ran there. */
    @SuppressWarnings("unchecked") // Hadoop's dispatcher has no type for what it takes
    private void loseNode() {
        String host = host(random.nextInt(NODES));
        if (away.size() < 3 && away.putIfAbsent(host, 1 + random.nextInt(5)) == null) {
            lostNodes++;
            dead.forEach(
                    master -> master.tasks.values().removeIf(task -> task.host().equals(host)));
            fixture.rm
                    .getRMContext()
                    .getDispatcher()
                    .getEventHandler()
                    .handle(new RMNodeEvent(node(host).getNodeId(), RMNodeEventType.EXPIRE));
            fixture.rm.drainEvents();
        }
    }

    private void killSome() throws Exception {
        List<Master> guests = masters.stream().filter(master -> !master.always).toList();
        if (!guests.isEmpty()) {
            Master one = guests.get(random.nextInt(guests.size()));
            kill(one);
            killed++;
        }
    }

    private void kill(Master master) throws Exception {
        masters.remove(master);
        dead.add(master);
        fixture.rm.killApp(master.app.app.getApplicationId());
        fixture.rm.drainEvents();
    }

    /** The ResourceManager ends; the next one learns from nodes and masters what runs. */
    private void restart() throws Exception {
        restarts++;
        fixture.replace();
        for (Map.Entry<String, MockNM> node : fixture.nodes.entrySet()) {
            if (away.containsKey(node.getKey())) {
                continue;
            }
            List<NMContainerStatus> running = new ArrayList<>();
            List<ApplicationId> applications = new ArrayList<>();
            for (Master master : masters) {
                List<NMContainerStatus> there = master.tasks.values().stream()
                        .filter(task -> task.host().equals(node.getKey()))
                        .map(MarketSoakRun::report)
                        .toList();
                running.addAll(there);
                if (!there.isEmpty()) {
                    applications.add(master.app.app.getApplicationId());
                }
            }
            node.getValue().registerNode(running, applications);
            fixture.rm.drainEvents();
        }
        for (Master master : masters) {
            master.app = fixture.again(master.app);
            ask(master);
        }
    }

    private static NMContainerStatus report(Task task) {
        return NMContainerStatus.newInstance(
                task.container().getId(),
                0,
                ContainerState.RUNNING,
                task.container().getResource(),
                "",
                ContainerExitStatus.INVALID,
                task.container().getPriority(),
                0);
    }

    /** Each account has what its statement adds up to, and nobody is below zero. */
    void checkBooks() throws Exception {
        for (QueueStatus status : fixture.market().queues()) {
            List<StatementLine> last =
                    fixture.market().statement(StatementRange.first(status.name(), 0, Long.MAX_VALUE, 0, 1_000));
            for (int i = 1; i < last.size(); i++) {
                StatementLine line = last.get(i);
                long change = line.kind() == StatementLine.Kind.WAIVER
                        ? 0
                        : line.amount().nanos();
                assertThat(line.balance().nanos())
                        .as("balance of %s after line %d", status.name(), i)
                        .isEqualTo(last.get(i - 1).balance().nanos() + change)
                        .isNotNegative();
            }
        }
    }

    void endEverything() throws Exception {
        for (Master master : List.copyOf(masters)) {
            kill(master);
        }
        for (Map.Entry<String, MockNM> node : fixture.nodes.entrySet()) {
            if (!away.containsKey(node.getKey())) {
                node.getValue().nodeHeartbeat(endTasks(node.getKey()), true);
                fixture.rm.drainEvents();
            }
        }
        fixture.scheduler().update();
    }

    @Override
    public void close() {
        fixture.close();
    }
}
