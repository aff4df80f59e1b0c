// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.heddle.benchmarks.experiment.Spread;
import org.heddle.whatif.driven.AllocationChecker;
import org.heddle.whatif.driven.DrivenNode;
import org.heddle.whatif.driven.SchedulerDriver;
import org.jspecify.annotations.Nullable;

/**
 * A real ResourceManager. A workload calls its scheduler as the ResourceManager does, from one thread: nodes
 * report what began and what ended, masters fetch what they were given and keep asking for more than there is.
 */
public final class DrivenManager implements AutoCloseable {
    private static final long ROUND_MILLIS = 1_000;

    /** Nodes and applications that come and leave together. */
    private static final int AT_A_TIME = 50;

    private static final int TIMES = 1_200;
    private static final int ROUNDS = 21;
    private static final int SETTLING_ROUNDS = 2;
    private static final long LONGEST_NANOS = 5_000_000_000L;
    private static final int LONGEST_WAIT = 100;

    private final Workload load;
    private final Contestant contestant;
    private final ResourceManager rm = new ResourceManager();
    private final SchedulerDriver driver = new SchedulerDriver(rm);
    private final SplittableRandom random;
    private final AllocationChecker ledger;
    private final List<DrivenNode> nodes = new ArrayList<>();
    private final List<DrivenAppMaster> masters = new ArrayList<>();
    private final Map<NodeId, DrivenNode> byId = new HashMap<>();
    private final Map<ApplicationId, DrivenAppMaster> byApplication = new HashMap<>();
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final com.sun.management.OperatingSystemMXBean system =
            ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
    private final double nodeAddedMicros;
    private final long heapPerNode;
    private final long heapPerApplication;
    private final long heapFilled;
    private volatile long nowMillis = 1_700_000_000_000L;
    private long freed;
    /** Applications that have ended. */
    private int gone;

    private long fetched;
    private long local;
    /** Null unless somebody wants to know. */
    private @Nullable RunTimes runs;

    public DrivenManager(Contestant contestant, Workload load) throws IOException {
        this.contestant = contestant;
        this.load = load;
        this.random = new SplittableRandom(load.seed());
        this.ledger = new AllocationChecker(node -> size(), contestant == Contestant.FIFO);
        DefaultMetricsSystem.setMiniClusterMode(true);
        YarnConfiguration conf = contestant.configuration(load, "heddle-race");
        // Resource types keep the largest container of the first configuration of a process.
        ResourceUtils.resetResourceTypes(conf);
        rm.init(conf);
        scheduler().setClock(() -> nowMillis);
        rm.start();
        for (int i = 0; i < load.nodes(); i++) {
            nodes.add(new DrivenNode(rm.getRMContext(), i, size()));
            byId.put(nodes.get(i).getNodeID(), nodes.get(i));
        }
        long empty = heap();
        nodeAddedMicros = addNodes();
        long withNodes = heap();
        for (int i = 0; i < load.applications(); i++) {
            submit(i % load.users());
        }
        heapFilled = heap();
        heapPerNode = (withNodes - empty) / load.nodes();
        heapPerApplication = (heapFilled - withNodes) / load.applications();
    }

    /** Bytes that were in use at the moment when the garbage was gone. */
    private static long heap() {
        System.gc();
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getCollectionUsage)
                .filter(Objects::nonNull)
                .mapToLong(MemoryUsage::getUsed)
                .sum();
    }

    private Resource size() {
        return load.node();
    }

    private AbstractYarnScheduler<?, ?> scheduler() {
        return driver.scheduler();
    }

    private DrivenAppMaster submit(int user) {
        return submit(user, load.most(user));
    }

    /** @param most how many containers its master wants to hold at most */
    private DrivenAppMaster submit(int user, int most) {
        ApplicationId id = ApplicationId.newInstance(1_700_000_000_000L, masters.size() + gone + 1);
        String queue = contestant.queue(load, user);
        ApplicationAttemptId attempt = ApplicationAttemptId.newInstance(id, 1);
        driver.start(attempt, Workload.user(user), queue);
        DrivenAppMaster master = new DrivenAppMaster(
                attempt,
                user,
                load.ask(user),
                most,
                load.local() ? new TaskList(load.nodes(), TaskList.REPLICAS, random.split()) : null);
        masters.add(master);
        byApplication.put(id, master);
        return master;
    }

    private double addNodes() {
        long began = threads.getCurrentThreadCpuTime();
        for (DrivenNode node : nodes) {
            driver.add(node);
        }
        return (threads.getCurrentThreadCpuTime() - began) / 1e3 / load.nodes();
    }

    /**
     * CPU time of a NODE_ADDED in microseconds, when nodes come to the full cluster and leave it: the median of some
     * dozens of nodes each.
     */
    public double nodeAddedAgain() {
        List<DrivenNode> more = new ArrayList<>();
        for (int i = 0; i < AT_A_TIME; i++) {
            more.add(new DrivenNode(rm.getRMContext(), load.nodes() + i, size()));
        }
        return again(
                () -> more.forEach(driver::add),
                () -> more.forEach(node -> scheduler().handle(new NodeRemovedSchedulerEvent(node))));
    }

    /**
     * CPU time of an application that comes to the full cluster in microseconds: it and its attempt are added, its
     * master asks for containers, and the next node is heard.
     */
    public double applicationAddedAgain() {
        List<DrivenAppMaster> more = new ArrayList<>();
        return again(
                () -> {
                    for (int i = 0; i < AT_A_TIME; i++) {
                        DrivenAppMaster master = submit((masters.size() * 7) % load.users());
                        more.add(master);
                        heartbeat(master);
                        scheduler().handle(new NodeUpdateSchedulerEvent(nodes.get(i % nodes.size())));
                    }
                },
                () -> {
                    more.forEach(this::leave);
                    masters.removeAll(more);
                    more.clear();
                });
    }

    /** An application ends, and its containers with it. */
    private void leave(DrivenAppMaster master) {
        driver.end(master.id, RMAppAttemptState.FINISHED);
        driver.remove(master.id.getApplicationId());
        byApplication.remove(master.id.getApplicationId());
        rm.getRMContext().getRMApps().remove(master.id.getApplicationId());
        gone++;
    }

    /**
     * An application of one more user requests one container, waits until it has it and until that has ended, and so
     * on.
     *
     * @param visits how often
     * @return each wait by the median time that containers of all users run meanwhile; infinite where it has lasted for
     *     {@link #LONGEST_WAIT} rounds
     */
    double[] waitsOfVisitor(int visits) {
        DrivenAppMaster visitor = submit(load.users(), 1);
        masters.remove(visitor); // it is heard here
        runs = new RunTimes();
        double[] waits = new double[visits];
        for (int i = 0; i < visits; i++) {
            long asked = nowMillis;
            heartbeat(visitor);
            for (int rounds = 0; visitor.holds == 0 && rounds < LONGEST_WAIT; rounds++) {
                secondPasses();
                heartbeat(visitor);
            }
            waits[i] = visitor.holds == 0 ? Double.POSITIVE_INFINITY : nowMillis - asked;
            while (visitor.holds > 0) {
                secondPasses();
            }
        }
        double median = runs.medianMillis();
        runs = null;
        leave(visitor);
        return Arrays.stream(waits).map(wait -> wait / median).toArray();
    }

    /** Bytes of heap for each node, once it is known. */
    public long heapPerNode() {
        return heapPerNode;
    }

    /** Bytes of heap for each application, with one attempt that has asked for nothing yet. */
    public long heapPerApplication() {
        return heapPerApplication;
    }

    /** Bytes of heap for each live container: what has come since the applications were added, with their requests. */
    public long heapPerContainer() {
        fetchAll();
        return (heap() - heapFilled) / ledger.live();
    }

    /** Milliseconds that the scheduler's round of each second takes, which it spends under its lock. */
    public double roundMillis() {
        double[] millis = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            long before = nowMillis;
            nowMillis = before + ROUND_MILLIS;
            long began = threads.getCurrentThreadCpuTime();
            scheduler().update();
            millis[i] = (threads.getCurrentThreadCpuTime() - began) / 1e6;
        }
        return Spread.of(millis).median();
    }

    private double again(Runnable come, Runnable leave) {
        List<Double> micros = new ArrayList<>();
        long began = threads.getCurrentThreadCpuTime();
        for (int i = 0; i < TIMES && threads.getCurrentThreadCpuTime() - began < LONGEST_NANOS; i++) {
            long before = threads.getCurrentThreadCpuTime();
            come.run();
            micros.add((threads.getCurrentThreadCpuTime() - before) / 1e3 / AT_A_TIME);
            leave.run();
        }
        return Spread.of(micros.subList(micros.size() / 2, micros.size()))
                .median(); // the compiler needs the first half
    }

    /** Rounds without measurement: until the cluster is full and so many containers have been allocated. */
    public void warmUp(long containers) {
        while (fetched < containers) {
            secondPasses();
        }
    }

    /** Rounds without measurement after something else was measured: until masters find what nodes have given again. */
    public void settle() {
        for (int i = 0; i < SETTLING_ROUNDS; i++) {
            secondPasses();
        }
    }

    private void secondPasses() {
        round(new long[load.nodes()], new long[masters.size()]);
    }

    public Block block() {
        long[] node = new long[load.nodes() * load.rounds()];
        long[] master = new long[masters.size() * load.rounds()];
        long given = 0;
        long began = system.getProcessCpuTime();
        for (int i = 0; i < load.rounds(); i++) {
            long[] ofNodes = new long[load.nodes()];
            long[] ofMasters = new long[masters.size()];
            given += round(ofNodes, ofMasters);
            System.arraycopy(ofNodes, 0, node, i * load.nodes(), load.nodes());
            System.arraycopy(ofMasters, 0, master, i * masters.size(), masters.size());
        }
        long process = system.getProcessCpuTime() - began;
        Arrays.sort(node);
        Arrays.sort(master);
        return new Block(
                given,
                Arrays.stream(node).sum(),
                Arrays.stream(master).sum(),
                process,
                node[node.length / 2],
                node[(int) (node.length * 0.99)],
                master[master.length / 2],
                master[(int) (master.length * 0.99)]);
    }

    /**
     * A second: every node and every master once, masters spread among the nodes; how many containers were given. The
     * scheduler's delays are by this clock, lest its choices depend on the speed of the machine.
     */
    private long round(long[] nodeNanos, long[] masterNanos) {
        long given = 0;
        int next = 0;
        long began = nowMillis;
        for (int i = 0; i < nodes.size(); i++) {
            nowMillis = began + i * ROUND_MILLIS / nodes.size();
            nodeNanos[i] = heartbeat(nodes.get(i));
            while (next < masters.size() && (long) next * nodes.size() <= (long) i * masters.size()) {
                long before = ledger.live();
                masterNanos[next] = heartbeat(masters.get(next));
                given += ledger.live() - before;
                next++;
            }
        }
        while (next < masters.size()) {
            long before = ledger.live();
            masterNanos[next] = heartbeat(masters.get(next));
            given += ledger.live() - before;
            next++;
        }
        nowMillis = began + ROUND_MILLIS;
        return given;
    }

    private long heartbeat(DrivenNode node) {
        for (Container ended : node.prepare(load.churn(), random, container -> load.ends(owner(container).user))) {
            ledger.ended(ended);
            if (runs != null) {
                runs.ended(ended.getId(), nowMillis);
            }
            freed++;
            owner(ended).holds--;
        }
        NodeUpdateSchedulerEvent event = new NodeUpdateSchedulerEvent(node);
        long began = threads.getCurrentThreadCpuTime();
        scheduler().handle(event);
        return threads.getCurrentThreadCpuTime() - began;
    }

    private DrivenAppMaster owner(Container container) {
        ApplicationId id = container.getId().getApplicationAttemptId().getApplicationId();
        return Objects.requireNonNull(byApplication.get(id));
    }

    private long heartbeat(DrivenAppMaster master) {
        List<ResourceRequest> asks = master.asks();
        long began = threads.getCurrentThreadCpuTime();
        List<Container> given = driver.allocate(master.id, asks);
        long took = threads.getCurrentThreadCpuTime() - began;
        for (Container container : given) {
            ledger.given(container, master.size);
            if (runs != null) {
                runs.began(container.getId(), nowMillis);
            }
            Objects.requireNonNull(byId.get(container.getNodeId())).start(container);
            fetched++;
            local += master.given(container) ? 1 : 0;
        }
        return took;
    }

    /**
     * The dominant share of each user, of what was granted. Before {@link #check} it lacks what no master has fetched
     * yet.
     */
    double[] shares() {
        double[] shares = new double[load.users()];
        for (DrivenAppMaster master : masters) {
            double memory = (double) master.granted.getMemorySize() / load.memoryMb() / load.nodes();
            double vcores = (double) master.granted.getVirtualCores() / load.vcores() / load.nodes();
            shares[master.user] += master.holds * Math.max(memory, vcores);
        }
        return shares;
    }

    /** How the users share the cluster when nothing is left to be fetched. */
    public Standing standing() {
        fetchAll();
        check();
        long cores = masters.stream()
                .mapToLong(master -> (long) master.holds * master.size.getVirtualCores())
                .sum();
        return Standing.of(shares(), (double) cores / load.vcores() / load.nodes());
    }

    /** How a newcomer fares, and how things stand before. Ends the measuring. */
    RunSummary summary() {
        long heapPerContainer = heapPerContainer();
        Standing standing = standing();
        int room = 0;
        for (DrivenNode node : nodes) {
            SchedulerNode seen = scheduler().getSchedulerNode(node.getNodeID());
            Resource free = seen.getUnallocatedResource();
            boolean fits = masters.stream()
                    .map(master -> master.size)
                    .distinct()
                    .anyMatch(size -> size.getMemorySize() <= free.getMemorySize()
                            && size.getVirtualCores() <= free.getVirtualCores());
            room += fits && seen.getReservedContainer() == null ? 1 : 0;
        }
        return new RunSummary(
                standing,
                room,
                (double) local / Math.max(1, fetched),
                newcomer(Arrays.stream(shares()).sum()),
                nodeAddedMicros,
                heapPerNode,
                heapPerApplication,
                heapPerContainer);
    }

    /**
     * Containers freed in the cluster for each that a new user gets, until it has nine tenths of its share;
     * infinite if it has not after six rounds.
     */
    private double newcomer(double total) {
        DrivenAppMaster newcomer = submit(load.users());
        double each = Math.max(
                (double) newcomer.size.getMemorySize() / load.memoryMb(),
                (double) newcomer.size.getVirtualCores() / load.vcores());
        double wanted = 0.9 * total * load.newcomersPart() * load.nodes() / each;
        long before = freed;
        for (int i = 0; i < 6 * nodes.size(); i++) {
            heartbeat(nodes.get(i % nodes.size()));
            if (i % 5 == 0) {
                heartbeat(newcomer);
                heartbeat(masters.get(i / 5 % (masters.size() - 1)));
            }
            if (newcomer.holds >= wanted) {
                return (double) (freed - before) / newcomer.holds;
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    /** Containers that no master has fetched yet count as allocated in the scheduler's books, and not in ours. */
    private void fetchAll() {
        masters.forEach(this::heartbeat);
    }

    /** The scheduler's books and ours say the same, when nothing is left to be fetched. */
    private void check() {
        for (DrivenNode node : nodes) {
            ledger.compare(
                    node.getNodeID(),
                    scheduler().getSchedulerNode(node.getNodeID()).getUnallocatedResource());
        }
    }

    @Override
    public void close() {
        rm.stop();
    }
}
