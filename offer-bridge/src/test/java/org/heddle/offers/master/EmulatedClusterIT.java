// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.mesos.v1.Protos.Filters;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.heddle.offers.agent.AgentProtocol;
import org.heddle.offers.agent.FrameCodec;
import org.heddle.offers.fixture.Pause;
import org.heddle.offers.fixture.WireClient;
import org.heddle.offers.master.agents.AgentRegistry;
import org.heddle.offers.master.cluster.AllocatedContainer;
import org.heddle.offers.master.cluster.ApplicationKey;
import org.heddle.offers.master.cluster.ApplicationRecord;
import org.heddle.offers.master.cluster.Cluster;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.master.cluster.NoEvents;
import org.heddle.offers.master.state.AgentLink;
import org.heddle.offers.master.state.EventSink;
import org.heddle.offers.master.state.Framework;
import org.heddle.offers.master.state.MasterIdentity;
import org.heddle.offers.master.state.MasterSettings;
import org.heddle.offers.master.state.StateExecutor;
import org.heddle.offers.model.ContainerAsk;
import org.heddle.offers.model.PortRange;
import org.heddle.offers.model.Resources;
import org.heddle.offers.store.Journal;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The bridge's master with its journal in front of an emulated YARN of 50,000 nodes and emulated agents, 200 frameworks that
 * keep it busy, and then the experiment of the Mesos paper: one more framework launches single tasks of known length; what
 * they take longer than that is the launch overhead. No network, no processes: this is what the bridge itself costs.
 */
@Tag("soak")
@SuppressWarnings("FutureReturnValueIgnored") // what is scheduled fails the experiment by its absence
class EmulatedClusterIT {
    private static final int NODES = Integer.getInteger("heddle.offers.emulated.nodes", 50_000);
    private static final int FRAMEWORKS = Integer.getInteger("heddle.offers.emulated.frameworks", 200);
    private static final int PROBES = 200;
    /** The busy frameworks hold that part of the nodes when the experiment begins. */
    private static final double FULL = 0.9;

    /** Tasks of busy frameworks: their mean length, its standard deviation, and the least. */
    private static final long TASK_MILLIS = 30_000;

    private static final long DEVIATION_MILLIS = 10_000;
    private static final long SHORTEST_MILLIS = 1_000;
    private static final long PROBE_MILLIS = 100;
    private static final long HEARTBEAT_MILLIS = 100;
    private static final Resources NODE = Resources.of(8_000, 16_384);
    private static final int CPUS = 7;
    private static final double GOAL_MILLIS = 100;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final AtomicLong launched = new AtomicLong();
    private final Random lengths = new Random(30);

    /**
     * Keeps what is asked for until it is granted, as YARN does, and grants with each heartbeat what there is room for, first
     * to those who have waited for longest, in a thread of its own; agents come at once. A node has room for one task of a busy
     * framework and some small ones.
     */
    private final class EmulatedYarn extends StubCluster {
        private final Random random = new Random(7);
        private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        private final ArrayDeque<Integer> freeNodes = new ArrayDeque<>();
        private final Map<String, Integer> big = new ConcurrentHashMap<>();
        private final Map<ApplicationKey, ContainerAsk> open = new LinkedHashMap<>();
        private final AtomicInteger containers = new AtomicInteger();
        private final Map<String, EmulatedAgent> agents = new ConcurrentHashMap<>();
        private Events events = new NoEvents();
        private @Nullable Master master;

        @Override
        public void start(AppSpec spec) {
            events.started(
                    spec.key(),
                    new ApplicationRecord("application_1_0001", new byte[0], Resources.NONE),
                    NODE,
                    List.of());
            scheduler.execute(() -> headroom(spec.key()));
        }

        /** Memory is not what is scarce here, and for small tasks there is always room. */
        private void headroom(ApplicationKey key) {
            long cpus = key.frameworkId().equals("probe") ? NODES : freeNodes.size() * (long) CPUS;
            events.headroom(key, Resources.of(cpus * 1000, 1_000_000_000L));
        }

        void beginHeartbeats() {
            scheduler.scheduleAtFixedRate(this::grant, 0, HEARTBEAT_MILLIS, TimeUnit.MILLISECONDS);
        }

        @Override
        public void ask(ApplicationKey key, ContainerAsk plan, Set<String> refusedHosts) {
            scheduler.execute(() -> {
                open.remove(key);
                open.put(key, plan);
            });
        }

        private void grant() {
            open.replaceAll((key, plan) -> {
                if (plan.count() == 0) {
                    return plan;
                }
                List<AllocatedContainer> grants = grants(plan);
                headroom(key);
                if (!grants.isEmpty()) {
                    events.granted(key, grants);
                }
                return new ContainerAsk(plan.size(), plan.count() - grants.size());
            });
        }

        private List<AllocatedContainer> grants(ContainerAsk plan) {
            List<AllocatedContainer> grants = new ArrayList<>();
            for (int i = 0; i < plan.count(); i++) {
                boolean small = plan.size().milliCpus() < 1000 * CPUS;
                Integer node = small ? Integer.valueOf(random.nextInt(NODES)) : freeNodes.poll();
                if (node == null) {
                    break;
                }
                AllocatedContainer grant = new AllocatedContainer(
                        "container_" + containers.incrementAndGet(), "n" + node + ":1", "n" + node, plan.size());
                if (!small) {
                    big.put(grant.containerId(), node);
                }
                grants.add(grant);
            }
            return grants;
        }

        @Override
        public void startAgent(ApplicationKey key, AgentSpec agent) {
            timer.execute(() -> {
                EmulatedAgent made =
                        new EmulatedAgent(agent, Objects.requireNonNull(master).agents());
                agents.put(agent.containerId(), made);
                made.hello();
            });
        }

        @Override
        public void release(ApplicationKey key, String containerId) {
            agents.remove(containerId);
            scheduler.execute(() -> {
                Integer node = big.remove(containerId);
                if (node != null) {
                    freeNodes.add(node);
                }
            });
        }
    }

    /** Starts a task at once and ends it when its command, "sleep N" in milliseconds, says. */
    private final class EmulatedAgent implements AgentLink {
        private final Cluster.AgentSpec spec;
        private final AgentRegistry agents;
        private final AtomicLong seq = new AtomicLong();

        EmulatedAgent(Cluster.AgentSpec spec, AgentRegistry agents) {
            this.spec = spec;
            this.agents = agents;
        }

        void hello() {
            agents.hello(AgentFrames.hello(spec), this);
        }

        @Override
        public void send(byte[] frame) {
            if (frame[4] != AgentProtocol.LAUNCH) {
                return;
            }
            try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(frame, 5, frame.length - 5))) {
                String key = in.readUTF();
                launched.incrementAndGet();
                event(AgentProtocol.STARTED, key, out -> out.writeLong(1));
                long millis = key.startsWith("t/probe") ? PROBE_MILLIS : taskMillis();
                timer.schedule(
                        () -> event(AgentProtocol.EXITED, key, out -> {
                            out.writeInt(0);
                            out.writeBoolean(false);
                            out.writeBoolean(false);
                            FrameCodec.writeText(out, "");
                        }),
                        millis,
                        TimeUnit.MILLISECONDS);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        private long taskMillis() {
            return Math.max(SHORTEST_MILLIS, Math.round(TASK_MILLIS + DEVIATION_MILLIS * lengths.nextGaussian()));
        }

        private void event(byte what, String key, FrameCodec.Fields fields) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (DataOutputStream out = new DataOutputStream(bytes)) {
                out.writeByte(AgentProtocol.EVENT);
                out.writeLong(seq.incrementAndGet());
                out.writeByte(what);
                out.writeUTF(key);
                fields.write(out);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            agents.frame(this, bytes.toByteArray());
        }

        @Override
        public void close() {}
    }

    /** Keeps one task on each of its nodes, or sends single probes. */
    private static final class Framework implements EventSink<Event> {
        private final Master master;
        private final String id;
        private final ConcurrentLinkedQueue<Offer> kept = new ConcurrentLinkedQueue<>();
        private final Map<String, CountDownLatch> awaited = new ConcurrentHashMap<>();
        private final boolean probe;
        private final AtomicInteger tasks = new AtomicInteger();

        Framework(Master master, String id, boolean probe) {
            this.master = master;
            this.id = id;
            this.probe = probe;
        }

        void subscribe() {
            FrameworkID frameworkId = FrameworkID.newBuilder().setValue(id).build();
            master.subscribe(
                    Call.newBuilder()
                            .setType(Call.Type.SUBSCRIBE)
                            .setFrameworkId(frameworkId)
                            .setSubscribe(Call.Subscribe.newBuilder()
                                    .setFrameworkInfo(FrameworkInfo.newBuilder()
                                            .setId(frameworkId)
                                            .setUser("u")
                                            .setName(id)))
                            .build(),
                    "stream-" + id,
                    "",
                    this);
            call(Call.newBuilder()
                    .setType(Call.Type.REQUEST)
                    .setRequest(Call.Request.newBuilder()
                            .addRequests(org.apache.mesos.v1.Protos.Request.newBuilder()
                                    .addResources(WireClient.scalar("cpus", probe ? 1 : CPUS))
                                    .addResources(WireClient.scalar("mem", 64)))));
        }

        @Override
        public void open(String streamId) {}

        @Override
        public void refuse(int status, String message) {
            throw new IllegalStateException(status + " " + message);
        }

        @Override
        public void send(Event event) {
            if (event.hasOffers()) {
                for (Offer offer : event.getOffers().getOffersList()) {
                    if (probe) {
                        kept.add(offer);
                    } else {
                        launch(offer, id + "-" + tasks.incrementAndGet());
                    }
                }
            } else if (event.hasUpdate()) {
                acknowledge(event.getUpdate().getStatus());
            }
        }

        void launch(Offer offer, String task) {
            double cpus = probe ? 0.1 : CPUS;
            if (offer.getResources(0).getScalar().getValue() < cpus) {
                call(Call.newBuilder()
                        .setType(Call.Type.DECLINE)
                        .setDecline(Call.Decline.newBuilder()
                                .addOfferIds(offer.getId())
                                .setFilters(Filters.newBuilder().setRefuseSeconds(600))));
                return;
            }
            TaskInfo info = WireClient.task(task, offer, "sleep", cpus, 64);
            call(WireClient.launchCall(offer, 0, info));
        }

        private void acknowledge(TaskStatus status) {
            if (status.hasUuid()) {
                call(Call.newBuilder()
                        .setType(Call.Type.ACKNOWLEDGE)
                        .setAcknowledge(Call.Acknowledge.newBuilder()
                                .setAgentId(status.getAgentId())
                                .setTaskId(status.getTaskId())
                                .setUuid(status.getUuid())));
            }
            if (status.getState() != TaskState.TASK_RUNNING) {
                CountDownLatch latch = awaited.get(status.getTaskId().getValue());
                if (latch != null) {
                    latch.countDown();
                }
            }
        }

        private void call(Call.Builder call) {
            master.call(
                    call.setFrameworkId(FrameworkID.newBuilder().setValue(id)).build(),
                    "stream-" + id,
                    "",
                    (status, message) -> {});
        }

        @Override
        public void close() {}
    }

    /** Until so many tasks have been launched; returns how long that took, in s. */
    private double awaitLaunches(long wanted) throws InterruptedException {
        long begin = System.nanoTime();
        while (launched.get() < wanted && System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(120)) {
            Pause.millis(200);
        }
        assertThat(launched.get()).isGreaterThanOrEqualTo(wanted);
        return (System.nanoTime() - begin) / 1e9;
    }

    private static void assertConsistent(Master master) throws Exception {
        master.look("", view -> {
                    view.assertConsistent();
                    return "";
                })
                .get(5, TimeUnit.MINUTES);
    }

    @Test
    void oneMoreTaskStartsQuickly(@TempDir Path directory) throws Exception {
        MasterSettings settings = new MasterSettings(
                60_000,
                60_000,
                600_000,
                600_000,
                60_000,
                1_000,
                Resources.of(100, 64),
                64,
                100,
                new PortRange(31000, 31999),
                2,
                0,
                600_000,
                3_600_000,
                true);
        EmulatedYarn yarn = new EmulatedYarn();
        try (Journal journal = Journal.open(directory);
                StateExecutor loop = new StateExecutor(System::currentTimeMillis, journal, () -> {})) {
            Master master =
                    new Master(loop, yarn, settings, new MasterIdentity("bridge", "localhost", "127.0.0.1", 5050));
            yarn.events = master;
            IntStream.range(0, NODES).forEach(yarn.freeNodes::add);
            yarn.master = master;
            master.recover(journal, System.currentTimeMillis());
            loop.start();
            List<ClusterNode> nodes = new ArrayList<>();
            for (int i = 0; i < NODES; i++) {
                nodes.add(new ClusterNode(
                        "n" + i + ":1",
                        "n" + i,
                        "10.0.0.1",
                        "/rack",
                        "n" + i + ":2",
                        NODE,
                        Resources.NONE,
                        true,
                        0,
                        Map.of()));
            }
            master.nodes(nodes);
            yarn.beginHeartbeats();
            for (int i = 0; i < FRAMEWORKS; i++) {
                new Framework(master, "busy-" + i, false).subscribe();
            }
            // 1. Until as many tasks have ended and been followed by others as there are nodes
            double fill = awaitLaunches((long) (NODES * FULL));
            double turn = awaitLaunches(2L * NODES);
            assertConsistent(master);
            long before = launched.get();
            long from = System.nanoTime();

            // 2. Single tasks of one more framework
            Framework probe = new Framework(master, "probe", true);
            probe.subscribe();
            long[] overhead = new long[PROBES];
            for (int i = 0; i < PROBES; i++) {
                long asked = System.nanoTime();
                Offer offer = probe.kept.poll();
                while (offer == null) {
                    Pause.millis(1);
                    offer = probe.kept.poll();
                    assertThat(System.nanoTime() - asked).isLessThan(TimeUnit.SECONDS.toNanos(60));
                }
                CountDownLatch done = new CountDownLatch(1);
                probe.awaited.put("probe-" + i, done);
                probe.launch(offer, "probe-" + i);
                assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
                overhead[i] = (System.nanoTime() - asked) / 1_000 - PROBE_MILLIS * 1_000;
            }
            double rate = (launched.get() - before) / ((System.nanoTime() - from) / 1e9);
            Arrays.sort(overhead);
            String report = String.format(
                    java.util.Locale.ROOT,
                    "emulated: %d nodes, %d frameworks; %.0f %% filled in %.1f s, %d launched in %.1f s more, then %.0f/s;"
                            + " %d single tasks of one more framework, from its wish to the end less their length: mean"
                            + " %.1f ms, p50 %.1f ms, p90 %.1f ms, max %.1f ms",
                    NODES,
                    FRAMEWORKS,
                    FULL * 100,
                    fill,
                    2 * NODES - (int) (FULL * NODES),
                    turn,
                    rate,
                    PROBES,
                    Arrays.stream(overhead).average().orElse(0) / 1000,
                    overhead[PROBES / 2] / 1000.0,
                    overhead[PROBES * 9 / 10] / 1000.0,
                    overhead[PROBES - 1] / 1000.0);
            System.out.println(report);
            Files.writeString(
                    Files.createDirectories(Path.of("target", "figures")).resolve("emulated.txt"), report + "\n");
            assertConsistent(master);
            assertThat(loop.errors()).isZero();
            assertThat(rate)
                    .as("tasks/s while the single ones ran")
                    .isGreaterThan(NODES * FULL * 1000 / TASK_MILLIS / 2);
            assertThat(Arrays.stream(overhead).average().orElse(0) / 1000).isLessThan(GOAL_MILLIS);
        } finally {
            yarn.scheduler.shutdownNow();
            timer.shutdownNow();
        }
    }
}
