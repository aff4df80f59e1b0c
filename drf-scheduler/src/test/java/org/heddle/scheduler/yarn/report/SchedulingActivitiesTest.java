// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.activities.ActivitiesManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.activities.ActivityDiagnosticConstant;
import org.apache.hadoop.yarn.server.resourcemanager.webapp.RMWSConsts.ActivitiesGroupBy;
import org.apache.hadoop.yarn.server.resourcemanager.webapp.dao.ActivitiesInfo;
import org.apache.hadoop.yarn.server.resourcemanager.webapp.dao.ActivityNodeInfo;
import org.apache.hadoop.yarn.server.resourcemanager.webapp.dao.AppAllocationInfo;
import org.apache.hadoop.yarn.server.resourcemanager.webapp.dao.AppRequestAllocationInfo;
import org.heddle.scheduler.yarn.RmFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What YARN's REST tells of a node's heartbeat and of an application; StockClientsIT reads it over HTTP. */
class SchedulingActivitiesTest {
    private static final String A = "127.1.0.1";
    private static final String B = "127.1.0.2";
    /** Seconds; the base class measures them by the clock of the machine. */
    private static final double HOUR = 3_600;

    private static final String QUEUES =
            "<heddle-scheduler version=\"1\">%s<queue name=\"root\"><queue name=\"alpha\"/>"
                    + "<queue name=\"beta\"><max-resources><resource name=\"vcores\">1</resource></max-resources></queue>"
                    + "</queue></heddle-scheduler>";

    /** All is placed at the heartbeat that is recorded. */
    private static final String AT_HEARTBEATS = RmFixture.atHeartbeats(QUEUES.formatted(""));

    @TempDir
    Path directory;

    private static ActivitiesManager activities(RmFixture fixture) {
        return fixture.scheduler().getActivitiesManager();
    }

    /** The tree of an allocation, a line for each activity below the root, indented. */
    private static List<String> lines(ActivityNodeInfo activity, String indent) {
        List<String> lines = new ArrayList<>();
        String diagnostic = activity.getDiagnostic() == null ? "" : " " + activity.getDiagnostic();
        lines.add(indent + activity.getName() + " " + activity.getAllocationState() + diagnostic);
        if (activity.getChildren() != null) {
            activity.getChildren().forEach(child -> lines.addAll(lines(child, indent + " ")));
        }
        return lines;
    }

    private static List<AppAllocationInfo> followed(RmFixture fixture, RmFixture.App app) {
        return activities(fixture)
                .getAppActivitiesInfo(app.id(), Set.of(), Set.of(), null, -1, false, 0)
                .getAllocations();
    }

    @Test
    void aHeartbeatTellsWhatItPlacedAndWhyNotMore() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, AT_HEARTBEATS)) {
            String node = fixture.node(A, 2_500, 8).getNodeId().toString();
            RmFixture.App alice = fixture.unmanaged("alice", "alpha");
            RmFixture.App bob = fixture.unmanaged("bob", "beta");
            alice.ask(3, 1_000, 1);
            bob.ask(1, 100, 2);
            activities(fixture).recordNextNodeUpdateActivities(node);

            fixture.heartbeat();
            fixture.heartbeat();

            ActivitiesInfo info = activities(fixture).getActivitiesInfo(node, null);
            assertThat(info.getAllocations())
                    .extracting(allocation -> allocation.getFinalAllocationState())
                    .as("one heartbeat is recorded")
                    .containsExactly("ALLOCATED", "ALLOCATED", "SKIPPED", "SKIPPED");
            assertThat(info.getAllocations().get(0).getUpdatedContainerId()).startsWith("container_");
            assertThat(lines(info.getAllocations().get(0).getRoot(), ""))
                    .startsWith("root ACCEPTED", " root.alpha ACCEPTED", "  " + alice.id() + " ALLOCATED");
            assertThat(info.getAllocations().stream()
                            .skip(2)
                            .map(allocation -> String.join("\n", lines(allocation.getRoot(), ""))))
                    .containsExactlyInAnyOrder("""
                            root SKIPPED
                             root.alpha SKIPPED
                              %s SKIPPED
                               request_10_-1 SKIPPED
                                null SKIPPED Node does not have sufficient resource for request""".formatted(alice.id()), """
                            root SKIPPED
                             root.beta SKIPPED
                              %s SKIPPED
                               request_10_-1 SKIPPED Queue, user or application would exceed its maximum resources""".formatted(bob.id()));
        }
    }

    @Test
    void aClusterWithoutAsksSaysSo() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, QUEUES.formatted(""))) {
            fixture.node(A, 2_500, 8);
            activities(fixture).recordNextNodeUpdateActivities(null);
            fixture.heartbeat();
            assertThat(lines(
                            activities(fixture)
                                    .getActivitiesInfo(null, null)
                                    .getAllocations()
                                    .get(0)
                                    .getRoot(),
                            ""))
                    .hasSize(3)
                    .allMatch(line ->
                            line.endsWith("SKIPPED " + ActivityDiagnosticConstant.QUEUE_DO_NOT_NEED_MORE_RESOURCE));
        }
    }

    @Test
    void anApplicationIsFollowedForAsLongAsItWasAsked() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, AT_HEARTBEATS)) {
            fixture.node(A, 1_500, 8);
            RmFixture.App alice = fixture.unmanaged("alice", "alpha");
            fixture.unmanaged("bob", "beta").ask(1, 100, 1);
            alice.ask(2, 1_000, 1);
            activities(fixture).turnOnAppActivitiesRecording(alice.id(), HOUR);

            fixture.heartbeat();

            assertThat(followed(fixture, alice))
                    .extracting(AppAllocationInfo::getAllocationState)
                    .as("the newest first")
                    .containsExactly("SKIPPED", "ALLOCATED");
            AppRequestAllocationInfo why =
                    followed(fixture, alice).get(0).getChildren().get(0);
            assertThat(why.getChildren())
                    .extracting(ActivityNodeInfo::getDiagnostic)
                    .containsExactly(ActivityDiagnosticConstant.NODE_DO_NOT_HAVE_SUFFICIENT_RESOURCE);

            fixture.clock.tick(3_601_000);
            fixture.heartbeat();
            assertThat(followed(fixture, alice)).hasSize(2);
        }
    }

    /** By diagnostic, as the REST parameter groupBy does it. */
    @Test
    void reasonsCanBeGroupedOverNodes() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, QUEUES.formatted(""))) {
            fixture.node(A, 500, 4);
            fixture.node(B, 400, 4);
            fixture.node("127.1.0.3", 100, 5);
            RmFixture.App alice = fixture.unmanaged("alice", "alpha").ask(1, 300, 5);
            activities(fixture).turnOnAppActivitiesRecording(alice.id(), HOUR);
            fixture.heartbeat();
            List<AppAllocationInfo> summary = activities(fixture)
                    .getAppActivitiesInfo(alice.id(), Set.of(), Set.of(), ActivitiesGroupBy.DIAGNOSTIC, -1, true, HOUR)
                    .getAllocations();
            ActivityNodeInfo group =
                    summary.get(0).getChildren().get(0).getChildren().get(0);
            assertThat(group.getDiagnostic())
                    .isEqualTo(ActivityDiagnosticConstant.NODE_TOTAL_RESOURCE_INSUFFICIENT_FOR_REQUEST);
            assertThat(group.getCount()).isEqualTo(3);
        }
    }

    @Test
    void whatIsPlacedWithoutAHeartbeatIsSeenToo() throws Exception {
        String immediate = QUEUES.formatted("<allocation>immediate</allocation>");
        try (RmFixture fixture = new RmFixture(directory, immediate)) {
            fixture.node(A, 40_000, 80);
            RmFixture.App alice = fixture.unmanaged("alice", "alpha");
            activities(fixture).turnOnAppActivitiesRecording(alice.id(), HOUR);
            alice.ask(2, 1_000, 1);
            assertThat(followed(fixture, alice))
                    .extracting(AppAllocationInfo::getAllocationState)
                    .containsExactly("ALLOCATED", "ALLOCATED");
        }
    }
}
