// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeLabel;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceBlacklistRequest;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.heddle.scheduler.snapshot.Waiting.Kind;
import org.heddle.scheduler.yarn.RmFixture;
import org.heddle.scheduler.yarn.app.Ask;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.app.Veto;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The answer to "why does it wait?" and the allocation never disagree. Before each heartbeat of a node every ask is
 * explained for it; then what the heartbeat grants must have been explained as possible, and if it grants nothing, no
 * ask may have been explained as possible. With limits, shares of masters, delays by time and by nodes, labels, a
 * shared partition, blacklists, reservations and minimum offers.
 */
@Tag("newer-line")
class FeasibilityLawsTest {
    private static final int STEPS = 600;
    private static final String[] HOSTS = {"127.1.0.1", "127.1.0.2", "127.1.0.3", "127.1.0.4", "127.1.0.5", "127.1.0.6"
    };
    private static final String GPU = HOSTS[4];
    private static final String LENT = HOSTS[5];
    private static final String QUEUES =
            "<queue name=\"root\"><node-label name=\"gpu\"><max-resources><resource name=\"vcores\">60%</resource></max-resources>"
                    + "</node-label><queue name=\"limited\"><node-label name=\"gpu\"><guaranteed-resources>"
                    + "<resource name=\"memory-mb\">30%</resource></guaranteed-resources></node-label><max-resources><resource name=\"memory-mb\">9000</resource>"
                    + "</max-resources></queue><queue name=\"masters\"><max-am-share>10%</max-am-share></queue>"
                    + "<queue name=\"users\"><max-resources-per-user><resource name=\"vcores\">4</resource>"
                    + "</max-resources-per-user></queue></queue>";
    private static final String RESERVING = "<reservation>0s</reservation><max-reserved-nodes>40%</max-reserved-nodes>";
    private static final String[] RULES = {
        "<scheduling-delays>" + RESERVING
                + "<node-locality>2s</node-locality><rack-locality>2s</rack-locality></scheduling-delays>",
        "<scheduling-delays>" + RESERVING
                + "<node-locality-threshold>30%</node-locality-threshold><rack-locality-threshold>30%</rack-locality-threshold></scheduling-delays>",
        "<scheduling-delays>" + RESERVING
                + "</scheduling-delays><dynamic-max-assign>true</dynamic-max-assign><minimum-offer mode=\"automatic\""
                + " largest-part=\"50%\"/>"
    };

    @TempDir
    Path directory;

    private record AskOf(ApplicationAttemptId attempt, SchedulerRequestKey key) {}

    private final Map<Kind, Integer> seen = new HashMap<>();
    private int granted;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void explanationAndAllocationNeverDisagree(int seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        // at heartbeats only: what is allocated between two of them was not explained before
        String xml = RmFixture.atHeartbeats(
                "<heddle-scheduler version=\"1\">" + RULES[seed % RULES.length] + QUEUES + "</heddle-scheduler>");
        try (RmFixture fixture = new RmFixture(directory, xml, YarnConfiguration.NODE_LABELS_ENABLED, "true")) {
            addNodes(fixture);
            List<RmFixture.App> apps = new ArrayList<>();
            for (int step = 0; step < STEPS; step++) {
                change(fixture, apps, random);
                heartbeat(fixture, HOSTS[random.nextInt(HOSTS.length)], "seed " + seed + ", step " + step);
            }
            assertThat(granted).as("containers granted").isGreaterThan(50);
            assertThat(seen).as("reasons seen").hasSizeGreaterThan(5);
        }
    }

    private static void addNodes(RmFixture fixture) throws Exception {
        RMNodeLabelsManager labels = fixture.rm.getRMContext().getNodeLabelManager();
        labels.addToCluserNodeLabels(List.of(NodeLabel.newInstance("gpu", true), NodeLabel.newInstance("lent", false)));
        labels.addLabelsToNode(
                Map.of(NodeId.newInstance(GPU, 0), Set.of("gpu"), NodeId.newInstance(LENT, 0), Set.of("lent")));
        int memory = 3_000;
        for (String host : HOSTS) {
            fixture.node(host, memory, 4 + memory / 1_000);
            memory += 1_000;
        }
    }

    private static void change(RmFixture fixture, List<RmFixture.App> apps, SplittableRandom random) throws Exception {
        int what = random.nextInt(12);
        if (what == 0 && apps.size() < 9) {
            String queue = List.of("limited", "masters", "users").get(random.nextInt(3));
            apps.add(fixture.unmanaged("user" + random.nextInt(3), queue));
        } else if (what == 1 && fixture.rm.getRMContext().getRMApps().size() < 14) {
            RMApp app = fixture.submit("user" + random.nextInt(3), "masters", 500 + random.nextInt(1_500));
            MockRM.waitForAttemptScheduled(app, fixture.rm);
        } else if (what == 2) {
            fixture.clock.tick(500 + random.nextInt(2_000));
        } else if (what == 3 && !apps.isEmpty()) {
            RmFixture.App app = apps.get(random.nextInt(apps.size()));
            List<String> host = List.of(HOSTS[random.nextInt(HOSTS.length)]);
            boolean more = random.nextBoolean();
            app.am.allocate(AllocateRequest.newInstance(
                    app.am.getResponseId(),
                    0f,
                    List.of(),
                    List.of(),
                    ResourceBlacklistRequest.newInstance(more ? host : List.of(), more ? List.of() : host)));
        } else if (what <= 6 && !apps.isEmpty()) {
            RmFixture.App app = apps.get(random.nextInt(apps.size())).collect();
            int ending = random.nextInt(4);
            List<ContainerId> ids = app.ids().stream().limit(ending).toList();
            app.release(ids.toArray(ContainerId[]::new));
            app.containers.removeIf(container -> ids.contains(container.getId()));
        } else if (!apps.isEmpty()) {
            ask(apps.get(random.nextInt(apps.size())), random);
        }
        fixture.rm.drainEvents();
    }

    private static void ask(RmFixture.App app, SplittableRandom random) throws Exception {
        Resource size = Resource.newInstance(500 * (1 + random.nextInt(12)), 1 + random.nextInt(3));
        int priority = 1 + random.nextInt(3);
        int count = random.nextInt(4);
        if (random.nextInt(3) == 0) {
            String host = random.nextInt(4) == 0 ? "elsewhere" : HOSTS[random.nextInt(4)];
            app.ask(priority, count, size, host, random.nextBoolean() ? "/other-rack" : "/default-rack", "*");
        } else {
            String label = List.of("", "", "gpu", "lent").get(random.nextInt(4));
            app.heartbeat(
                    List.of(ResourceRequest.newBuilder()
                            .priority(Priority.newInstance(10 + priority + label.length() * 10))
                            .resourceName(ResourceRequest.ANY)
                            .capability(size)
                            .numContainers(count)
                            .nodeLabelExpression(label)
                            .build()),
                    List.of());
        }
    }

    private void heartbeat(RmFixture fixture, String host, String when) throws Exception {
        HeddleNode node = fixture.seen(host);
        boolean reserved = node.getReservedContainer() != null;
        Map<AskOf, String> explained = fixture.locked(() -> explain(fixture, node));
        Set<ContainerId> before = containers(node);
        fixture.heartbeat(host);
        boolean any = false;
        for (RMContainer container : node.getCopiedListOfRunningContainers()) {
            if (!before.contains(container.getContainerId())) {
                AskOf ask = new AskOf(container.getApplicationAttemptId(), container.getAllocatedSchedulerKey());
                any = true;
                granted++;
                if (!reserved && !mayHavePassedTwice(explained.get(ask), ask, node, before)) {
                    assertThat(explained.get(ask))
                            .as("%s: what stood against %s on %s, which got a container", when, ask, host)
                            .isEqualTo("");
                }
            }
        }
        if (!any) {
            assertThat(explained)
                    .as("%s: on %s, where nothing was placed, all asks were explained", when, host)
                    .doesNotContainValue("");
        }
    }

    /**
     * Whether the ask may have reached its threshold of passed nodes at this very heartbeat: an application that gets
     * several containers of a node is asked as often, and each time the node counts, as under FairScheduler.
     */
    private static boolean mayHavePassedTwice(
            @Nullable String veto, AskOf ask, HeddleNode node, Set<ContainerId> before) {
        long got = node.getCopiedListOfRunningContainers().stream()
                .filter(container -> !before.contains(container.getContainerId()))
                .filter(container -> container.getApplicationAttemptId().equals(ask.attempt()))
                .count();
        return "LOCALITY".equals(veto) && got > 1;
    }

    /** For every ask its veto on a node; empty if nothing stands against it. */
    private Map<AskOf, String> explain(RmFixture fixture, HeddleNode node) {
        Explainer explainer = fixture.reports().explainer();
        Map<AskOf, String> explained = new LinkedHashMap<>();
        for (ApplicationAttemptId id : attempts(fixture)) {
            Objects.requireNonNull(fixture.scheduler().why(id.getApplicationId().toString())); // asks are taken over
        }
        for (ApplicationAttemptId id : attempts(fixture)) {
            HeddleAttempt attempt = fixture.shell().getApplicationAttempt(id);
            for (Ask ask : attempt.asks()) {
                Veto veto = explainer.test(attempt, ask, node, fixture.clock.getTime());
                explained.put(new AskOf(id, ask.key()), veto == null ? "" : veto.toString());
                seen.merge(veto == null ? Kind.NEXT_HEARTBEAT : veto.kind(), 1, Integer::sum);
            }
        }
        return explained;
    }

    private static List<ApplicationAttemptId> attempts(RmFixture fixture) {
        List<ApplicationAttemptId> ids = new ArrayList<>();
        fixture.shell().getSchedulerApplications().values().forEach(application -> {
            if (application.getCurrentAppAttempt() != null) {
                ids.add(application.getCurrentAppAttempt().getApplicationAttemptId());
            }
        });
        return ids;
    }

    private static Set<ContainerId> containers(HeddleNode node) {
        Set<ContainerId> ids = new HashSet<>();
        node.getCopiedListOfRunningContainers().forEach(container -> ids.add(container.getContainerId()));
        return ids;
    }
}
