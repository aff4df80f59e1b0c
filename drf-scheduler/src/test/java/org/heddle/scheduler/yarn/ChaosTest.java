// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import javax.management.ObjectName;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.com.google.common.util.concurrent.SettableFuture;
import org.apache.hadoop.yarn.api.protocolrecords.MoveApplicationAcrossQueuesRequest;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeLabel;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.QueueACL;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.heddle.testkit.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Thousands of random events against a ResourceManager, in one thread or in four at once; the accounting must balance
 * after each round, nothing may fail unseen, and when everything has ended nothing may be left. For a long run: {@code
 * -Dheddle.chaos.events=100000 -Dheddle.chaos.check-every=1}, and {@code -Dheddle.chaos.seed=5} for other events. It is
 * long because each kind of event is a line here.
 */
@Tag("newer-line")
@SuppressWarnings("NullAway.Init") // fixture, nodes, masters, random and modes are set at the start of the test
class ChaosTest {
    private static final int EVENTS = Integer.getInteger("heddle.chaos.events", 600);
    private static final int CHECK_EVERY = Integer.getInteger("heddle.chaos.check-every", 10);
    /** Added to the seeds. */
    private static final int SEED = Integer.getInteger("heddle.chaos.seed", 0);
    /** Events of one thread between two looks at the books, where there are several threads. */
    private static final int ROUND = 25;

    private static final int RESTART_EVERY = 400;
    private static final Duration STUCK = Duration.ofSeconds(60);
    private static final AtomicLong PREEMPTED = new AtomicLong();

    @TempDir
    Path directory;

    private RmFixture fixture;
    private ChaosFiles files;
    private ChaosNodes nodes;
    private List<ChaosMasters> masters;
    private ClusterInvariants.Limits limits;
    private long allocated;
    private int accepted;
    private String goodFile = RmFixture.ONE_LEAF;

    /** @param allocation heartbeat, immediate, or both: each configuration has one or the other */
    @ParameterizedTest
    @CsvSource({
        "1, heartbeat, 1",
        "2, heartbeat, 1",
        "20260721, immediate, 1",
        "77, both, 1",
        "5, heartbeat, 4",
        "6, both, 4"
    })
    void nothingIsLeftWhenEverythingHasEnded(long seed, String allocation, int threads) throws Exception {
        SplittableRandom random = new SplittableRandom(seed + SEED);
        ExecutorService others = Executors.newCachedThreadPool();
        try (RmFixture opened = new RmFixture(
                directory,
                RmFixture.ONE_LEAF,
                new RetainedStateStore(),
                "yarn.resourcemanager.recovery.enabled",
                "true",
                YarnConfiguration.RM_MAX_COMPLETED_APPLICATIONS,
                "20",
                YarnConfiguration.RM_AM_MAX_ATTEMPTS,
                "4",
                "yarn.scheduler.heddle.update-interval-ms",
                "0",
                YarnConfiguration.NODE_LABELS_ENABLED,
                "true",
                "hadoop.user.group.static.mapping.overrides",
                "alice=staff,ops;bob=staff;carol=ops;dave=",
                YarnConfiguration.RM_PLACEMENT_CONSTRAINTS_HANDLER,
                YarnConfiguration.SCHEDULER_RM_PLACEMENT_CONSTRAINTS_HANDLER)) {
            fixture = opened;
            fixture.scheduler().update();
            Set<String> beans = beans();
            files = new ChaosFiles(
                    random.split(),
                    allocation.equals("both") ? List.of("immediate", "heartbeat") : List.of(allocation));
            nodes = new ChaosNodes(fixture, random.split());
            masters = new ArrayList<>();
            for (int part = 0; part < Math.max(1, threads - 2); part++) {
                masters.add(new ChaosMasters(fixture, nodes, random.split(), part, Math.max(1, threads - 2)));
            }
            limits = new ClusterInvariants.Limits();
            label(Map.of());
            for (int i = 0; i < 6; i++) {
                nodes.add();
            }
            run(random, threads, others);
            count();
            assertThat(allocated).as("the chaos does something").isGreaterThan(EVENTS / 50);
            assertThat(accepted).as("files that came into force").isPositive();
            end(beans, others);
        } finally {
            others.shutdownNow();
        }
    }

    /** A short run may preempt nothing, as its files are random. */
    @AfterAll
    static void somethingWasPreempted() {
        if (EVENTS >= 5_000) {
            assertThat(PREEMPTED).as("the chaos preempts something").hasPositiveValue();
        }
    }

    private void run(SplittableRandom random, int threads, ExecutorService others) throws Exception {
        int round = threads == 1 ? CHECK_EVERY : ROUND * threads;
        for (int done = 0; done < EVENTS; done += round) {
            String events = threads == 1 ? inTurn(random, round) : atOnce(random, others);
            balanced("events before " + (done + round) + " (" + events + ")", others);
            if (done / RESTART_EVERY != (done + round) / RESTART_EVERY) {
                restart();
                balanced("a restart after event " + (done + round), others);
            }
        }
    }

    private String inTurn(SplittableRandom random, int count) throws Exception {
        StringBuilder events = new StringBuilder();
        for (int i = 0; i < count; i++) {
            Event event = some(Event.LIKELY, random);
            events.append(event).append(' ');
            event.happen(this, masters.get(0), random);
            fixture.rm.drainEvents();
        }
        return events.toString();
    }

    /** One thread for the nodes, one for the administrator, and the others for masters. */
    private String atOnce(SplittableRandom random, ExecutorService others) throws Exception {
        List<Callable<String>> threads = new ArrayList<>();
        boolean calm = random.nextInt(3) == 0;
        threads.add(several(Event.Role.NODES, calm, masters.get(0), random.split()));
        threads.add(several(Event.Role.ADMINISTRATOR, calm, masters.get(0), random.split()));
        masters.forEach(those -> threads.add(several(Event.Role.MASTERS, calm, those, random.split())));
        StringBuilder events = new StringBuilder();
        for (var thread : threads.stream().map(others::submit).toList()) {
            events.append(Await.result("the end of a round", STUCK, thread));
        }
        fixture.rm.drainEvents();
        return events.toString();
    }

    /** @param calm whether all limits stay as they are meanwhile, so that nothing may exceed them */
    private Callable<String> several(Event.Role role, boolean calm, ChaosMasters those, SplittableRandom random) {
        List<Event> likely = Event.LIKELY.stream()
                .filter(event -> event.role == role && !(calm && event.changesLimits()))
                .toList();
        return () -> {
            StringBuilder events = new StringBuilder();
            for (int i = 0; i < ROUND; i++) {
                Event event = some(likely, random);
                events.append(event).append(' ');
                event.happen(this, those, random);
            }
            return events.toString();
        };
    }

    /** In another thread: a lock that somebody has left locked stops it. */
    private void balanced(String after, ExecutorService others) throws Exception {
        Await.result("the books after " + after, STUCK, others.submit(() -> {
            try {
                ClusterInvariants.balance(fixture.scheduler());
                limits.hold(fixture.scheduler());
            } catch (AssertionError e) {
                throw new AssertionError("after " + after + ": " + e.getMessage(), e);
            }
        }));
    }

    private void end(Set<String> beans, ExecutorService others) throws Exception {
        masters.get(0).endEverything();
        nodes.finishEverything();
        masters.get(0).giveUpWhoSaidGoodbye();
        fixture.rm.drainEvents();
        balanced("the end", others);
        ClusterInvariants.empty(fixture.scheduler());
        write(RmFixture.ONE_LEAF);
        fixture.scheduler().reinitialize(fixture.conf, fixture.rm.getRMContext());
        fixture.scheduler().update();
        assertThat(fixture.scheduler().queues())
                .extracting(HeddleQueue::getQueueName)
                .containsExactlyInAnyOrder("root", "root.default");
        assertThat(beans())
                .filteredOn(name -> !name.matches(".*partition=(own|lent)(,q0=root(,q1=default)?)?,service.*"))
                .as("apart from those of labels, which stay")
                .isSubsetOf(beans);
        assertThat(QueueMetrics.getQueueMetrics().keySet())
                .allMatch(name -> name.endsWith(".") || name.endsWith("root") || name.endsWith("root.default"));
    }

    /** What happens, and how often in a thousand. */
    @SuppressWarnings("ImmutableEnumChecker") // actions have no state
    private enum Event {
        NODE_HEARTBEAT(Role.NODES, 399, (chaos, masters, random) -> chaos.nodes.heartbeat()),
        ADD_NODE(Role.NODES, 15, (chaos, masters, random) -> chaos.nodes.add()),
        LOSE_NODE(Role.NODES, 15, (chaos, masters, random) -> chaos.nodes.lose()),
        NODE_FALLS_ILL(Role.NODES, 10, (chaos, masters, random) -> chaos.nodes.fallIll()),
        DECOMMISSION_NODE(Role.NODES, 10, (chaos, masters, random) -> chaos.nodes.decommission()),
        NODE_COMES_BACK(Role.NODES, 15, (chaos, masters, random) -> chaos.nodes.comeBack()),
        RECONNECT_NODE(Role.NODES, 10, (chaos, masters, random) -> chaos.nodes.reconnect()),
        RESIZE_NODE(Role.NODES, 20, (chaos, masters, random) -> chaos.nodes.resize()),
        RELABEL_NODE(Role.NODES, 10, (chaos, masters, random) -> chaos.nodes.relabel()),
        END_CONTAINER(Role.NODES, 25, (chaos, masters, random) -> chaos.nodes.endContainer()),
        MASTER_HEARTBEAT(Role.MASTERS, 230, (chaos, masters, random) -> masters.heartbeat()),
        SUBMIT(Role.MASTERS, 60, (chaos, masters, random) -> masters.submit()),
        REGISTER(Role.MASTERS, 50, (chaos, masters, random) -> masters.register()),
        END(Role.MASTERS, 30, (chaos, masters, random) -> masters.endSome()),
        UPDATE_CONTAINER(Role.MASTERS, 40, (chaos, masters, random) -> masters.update()),
        FAIL_MASTER(Role.MASTERS, 10, (chaos, masters, random) -> masters.failMaster()),
        MOVE(Role.ADMINISTRATOR, 30, ChaosTest::moveSome),
        PRIORITIZE(Role.ADMINISTRATOR, 20, ChaosTest::prioritizeSome),
        KILL(Role.ADMINISTRATOR, 4, ChaosTest::killSome),
        TIME_PASSES(
                Role.ADMINISTRATOR, 10, (chaos, masters, random) -> chaos.fixture.clock.tick(random.nextInt(10_000))),
        HOUSEKEEPING(
                Role.ADMINISTRATOR,
                10,
                (chaos, masters, random) -> chaos.fixture.scheduler().update()),
        ASK(Role.ADMINISTRATOR, 15, ChaosTest::ask),
        CONFIGURE(Role.ADMINISTRATOR, 15, ChaosTest::configure);

        private enum Role {
            NODES,
            MASTERS,
            ADMINISTRATOR
        }

        private interface Action {
            void run(ChaosTest chaos, ChaosMasters masters, SplittableRandom random) throws Exception;
        }

        private static final List<Event> LIKELY = Arrays.stream(values())
                .flatMap(event -> Collections.nCopies(event.inThousand, event).stream())
                .toList();

        /** After these, something may hold more than its limit although it has been given nothing. */
        private static final Set<Event> LIMITS_CHANGE = EnumSet.of(
                ADD_NODE,
                LOSE_NODE,
                NODE_FALLS_ILL,
                DECOMMISSION_NODE,
                NODE_COMES_BACK,
                RECONNECT_NODE,
                RESIZE_NODE,
                RELABEL_NODE,
                CONFIGURE);

        private final Role role;
        private final int inThousand;
        private final Action action;

        Event(Role role, int inThousand, Action action) {
            this.role = role;
            this.inThousand = inThousand;
            this.action = action;
        }

        boolean changesLimits() {
            return LIMITS_CHANGE.contains(this);
        }

        void happen(ChaosTest chaos, ChaosMasters masters, SplittableRandom random) throws Exception {
            if (changesLimits()) {
                chaos.limits.mayBeExceeded();
            }
            action.run(chaos, masters, random);
        }
    }

    /** Another ResourceManager takes over from the same store: nodes and masters register again, one by one. */
    private void restart() throws Exception {
        count();
        limits.mayBeExceeded();
        Map<NodeId, Set<String>> labels =
                fixture.rm.getRMContext().getNodeLabelManager().getNodeLabels();
        write(goodFile);
        fixture.replace();
        label(labels);
        masters.forEach(ChaosMasters::forgotten);
        nodes.registerAgain(() -> {
            try {
                for (ChaosMasters those : masters) {
                    those.register();
                    those.heartbeat();
                }
                ClusterInvariants.balance(fixture.scheduler());
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    private void label(Map<NodeId, Set<String>> ofNodes) throws Exception {
        RMNodeLabelsManager labels = fixture.rm.getRMContext().getNodeLabelManager();
        labels.addToCluserNodeLabels(List.of(NodeLabel.newInstance("own", true), NodeLabel.newInstance("lent", false)));
        labels.replaceLabelsOnNode(ofNodes);
        fixture.rm.drainEvents();
    }

    private void count() {
        allocated += fixture.counter("containers-allocated");
        PREEMPTED.addAndGet(fixture.counter("preemption-containers-killed"));
        assertThat(fixture.counter("errors-contained"))
                .as("errors contained, see the log")
                .isZero();
    }

    /** Another file, which may be wrong or not fit the applications that run. */
    private void configure(ChaosMasters any, SplittableRandom random) throws Exception {
        String next = random.nextInt(5) == 0 ? files.invalid() : files.valid();
        write(next);
        try {
            fixture.scheduler().reinitialize(fixture.conf, fixture.rm.getRMContext());
            goodFile = next;
            accepted++;
        } catch (IOException e) {
            refused(e);
        }
    }

    private void write(String text) throws IOException {
        Path next = Files.writeString(directory.resolve("next.xml"), text);
        Files.move(next, fixture.file, StandardCopyOption.ATOMIC_MOVE);
    }

    private void moveSome(ChaosMasters any, SplittableRandom random) throws Exception {
        List<ApplicationId> all = applications();
        if (!all.isEmpty()) {
            try {
                fixture.rm
                        .getClientRMService()
                        .moveApplicationAcrossQueues(MoveApplicationAcrossQueuesRequest.newInstance(
                                some(all, random), someQueue(fixture, random)));
            } catch (YarnException e) {
                refused(e);
            }
        }
    }

    private void prioritizeSome(ChaosMasters any, SplittableRandom random) throws Exception {
        List<ApplicationId> all = applications();
        if (!all.isEmpty()) {
            try {
                fixture.scheduler()
                        .updateApplicationPriority(
                                Priority.newInstance(random.nextInt(5)),
                                some(all, random),
                                SettableFuture.create(),
                                UserGroupInformation.getCurrentUser());
            } catch (YarnException e) {
                refused(e); // it has ended meanwhile
            }
        }
    }

    private void killSome(ChaosMasters any, SplittableRandom random) throws Exception {
        List<ApplicationId> all = applications();
        if (!all.isEmpty()) {
            fixture.rm.killApp(some(all, random));
        }
    }

    /** Questions change nothing and never fail. */
    private void ask(ChaosMasters any, SplittableRandom random) throws Exception {
        HeddleScheduler scheduler = fixture.scheduler();
        String queue = someQueue(fixture, random);
        scheduler.snapshot();
        scheduler.takeSnapshot();
        scheduler.queueDetails();
        scheduler.history();
        scheduler.nodes();
        scheduler.configurationChanges();
        scheduler.getQueueUserAclInfo();
        scheduler.checkAccess(UserGroupInformation.getCurrentUser(), QueueACL.ADMINISTER_QUEUE, queue);
        scheduler.getAppsInQueue(queue);
        scheduler.getQueueInfo("root", true, true);
        scheduler.getMaximumResourceCapability(queue);
        for (ApplicationId id : applications()) {
            scheduler.why(id.toString());
            scheduler.getAppResourceUsageReport(ApplicationAttemptId.newInstance(id, 1));
        }
        scheduler.getNodes(node -> true).forEach(node -> scheduler.getNodeReport(node.getNodeID()));
    }

    private List<ApplicationId> applications() {
        return fixture.scheduler().getSchedulerApplications().keySet().stream()
                .sorted()
                .toList();
    }

    /** Mostly one that there is. */
    static String someQueue(RmFixture fixture, SplittableRandom random) {
        List<String> leaves = fixture.scheduler().queues().stream()
                .filter(HeddleQueue::isLeaf)
                .map(HeddleQueue::getQueueName)
                .sorted()
                .toList();
        return random.nextInt(8) == 0 || leaves.isEmpty()
                ? some(List.of("root", "root.a", "root.a.x", "b", "default", "root.made", "no.such"), random)
                : some(leaves, random);
    }

    /** What YARN lets a caller see is a sentence, and not the accident of some code. */
    static void refused(Throwable e) {
        assertThat(e.getMessage())
                .as("%s", e)
                .isNotBlank()
                .doesNotContain("NullPointerException", "IllegalState", "IndexOutOf", "ConcurrentModification");
    }

    private static Set<String> beans() throws Exception {
        return ManagementFactory.getPlatformMBeanServer().queryNames(new ObjectName("Hadoop:*"), null).stream()
                .map(ObjectName::getCanonicalName)
                .filter(name -> name.contains("QueueMetrics"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    static <T> T some(Collection<T> all, SplittableRandom random) {
        return all.stream().skip(random.nextInt(all.size())).findFirst().orElseThrow();
    }
}
