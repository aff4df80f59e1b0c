// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.fair;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.UndeclaredThrowableException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeLabel;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.InvalidLabelResourceRequestException;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/moving-in.md says of submissions under "What differs", under both schedulers. */
@Tag("newer-line")
class FairDifferencesTest {
    @TempDir
    Path directory;

    /** By "QUEUE SIZE", what becomes of an application of alice with a master of that many MB. */
    private Map<Class<?>, Map<String, String>> outcomes(String elements, List<String> submissions) throws Exception {
        Path file =
                FairSchedulerFixture.file(directory, "<allocations>" + elements.replace('\'', '"') + "</allocations>");
        return FairSchedulerFixture.both(file, fixture -> {
            fixture.node("127.2.0.1", 16_384, 16);
            Map<String, String> outcomes = new LinkedHashMap<>();
            for (String submission : submissions) {
                outcomes.put(submission, outcome(fixture, submission));
            }
            return outcomes;
        });
    }

    private static String outcome(FairSchedulerFixture fixture, String submission) throws Exception {
        RMApp app;
        try {
            int blank = submission.lastIndexOf(' ');
            String queue = submission.substring(0, blank);
            app = fixture.submit("alice", queue, false, Integer.parseInt(submission.substring(blank + 1)));
        } catch (UndeclaredThrowableException e) {
            return "refused at the call";
        }
        fixture.heartbeats(4);
        if (app.getState() == RMAppState.FAILED) {
            return "failed";
        }
        return app.getCurrentAppAttempt().getMasterContainer() == null ? "waits" : "runs";
    }

    private static void assertSame(Map<Class<?>, Map<String, String>> results, String... expected) {
        assertThat(Objects.requireNonNull(results.get(FairSchedulerFixture.OURS))
                        .values())
                .containsExactly(expected);
        assertThat(results.get(FairSchedulerFixture.OURS)).isEqualTo(results.get(FairSchedulerFixture.FAIR));
    }

    /** Queues of the file whose policy does not fit their parent's are left out by both. */
    @Test
    void aQueueOfTheFileThatViolatesItsParentsPolicyTakesNothing() throws Exception {
        assertSame(
                outcomes(
                        "<queue name='p'><schedulingPolicy>fair</schedulingPolicy>"
                                + "<queue name='d'><schedulingPolicy>drf</schedulingPolicy></queue><queue name='f'/></queue>"
                                + "<queue name='q'><schedulingPolicy>fifo</schedulingPolicy><queue name='x'/></queue>",
                        List.of("root.p.d 1024", "root.p.f 1024", "root.p.new 1024", "root.q.x 1024")),
                "failed",
                "runs",
                "runs",
                "failed");
    }

    /** New queues have the default policy: FairScheduler refuses them below a parent which it does not fit. */
    @Test
    void aNewQueueMayHaveAPolicyThatViolatesItsParents() throws Exception {
        Map<Class<?>, Map<String, String>> results = outcomes(
                "<defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>"
                        + "<queue name='admins' type='parent'><schedulingPolicy>fair</schedulingPolicy></queue>",
                List.of("root.admins.fresh 1024", "root.other 1024"));
        assertThat(results.get(FairSchedulerFixture.FAIR))
                .containsEntry("root.admins.fresh 1024", "failed")
                .containsEntry("root.other 1024", "runs");
        assertThat(results.get(FairSchedulerFixture.OURS))
                .containsEntry("root.admins.fresh 1024", "runs")
                .containsEntry("root.other 1024", "runs");
    }

    @Test
    void aMasterThatCanNeverRunIsRefusedOnlyWhereItsQueueMayHoldNoneOfAResource() throws Exception {
        assertSame(
                outcomes(
                        "<queue name='small'><maxResources>2048 mb, 2 vcores</maxResources></queue>"
                                + "<queue name='nomasters'><maxAMShare>0</maxAMShare></queue>"
                                + "<queue name='noapps'><maxRunningApps>0</maxRunningApps></queue>"
                                + "<queue name='none'><maxResources>0 mb, 0 vcores</maxResources></queue>"
                                + "<queue name='nopart'><maxResources>0%</maxResources></queue>"
                                + "<queue name='nocores'><maxResources>4096 mb, 0 vcores</maxResources></queue>"
                                + "<queue name='above'><maxResources>0 mb, 0 vcores</maxResources><queue name='below'/></queue>"
                                + "<queue name='tiny'><maxContainerAllocation>1024 mb, 1 vcores</maxContainerAllocation></queue>",
                        List.of(
                                "root.small 4096",
                                "root.nomasters 1024",
                                "root.noapps 1024",
                                "root.none 1024",
                                "root.nopart 1024",
                                "root.nocores 1024",
                                "root.above.below 1024",
                                "root.tiny 2048")),
                "waits",
                "waits",
                "waits",
                "failed",
                "failed",
                "failed",
                "waits",
                "refused at the call");
    }

    /** A rule that names a parent: under FairScheduler the client gets an id, and the application fails. */
    @Test
    void anApplicationWhichNoRulePlacesIsRefusedAtTheCall() throws Exception {
        Map<Class<?>, Map<String, String>> results = outcomes(
                "<queue name='a'/><queuePlacementPolicy><rule name='specified' create='false'/><rule name='reject'/>"
                        + "</queuePlacementPolicy>",
                List.of("root.b 1024"));
        assertThat(results.get(FairSchedulerFixture.FAIR)).containsEntry("root.b 1024", "failed");
        assertThat(results.get(FairSchedulerFixture.OURS)).containsEntry("root.b 1024", "refused at the call");
    }

    /** What {@code yarn application -status} shows. */
    @Test
    void theDiagnosticsOfAMasterAboveItsQueuesMaximumNameTheMaximum() throws Exception {
        Path file = FairSchedulerFixture.file(
                directory,
                "<allocations><queueMaxAMShareDefault>-1.0</queueMaxAMShareDefault><queue name=\"small\">"
                        + "<maxResources>2048 mb, 2 vcores</maxResources></queue></allocations>");
        Map<Class<?>, String> diagnostics = FairSchedulerFixture.both(file, fixture -> {
            fixture.node("127.2.0.1", 16_384, 16);
            RMApp app = fixture.submit("alice", "root.small", false, 4_096);
            fixture.heartbeats(4);
            fixture.scheduler().update();
            return app.createAndGetApplicationReport("alice", true).getDiagnostics();
        });
        assertThat(diagnostics.get(FairSchedulerFixture.FAIR))
                .contains("<memory:4096, vCores:1> exceeds current queue or its parents maximum resource allowed")
                .contains("<memory:2048, vCores:2>");
        assertThat(diagnostics.get(FairSchedulerFixture.OURS))
                .contains(
                        "the ApplicationMaster of 4096 memory-mb, 1 vcores would exceed the limit of queue root.small")
                .contains("at most 2048 memory-mb, 2 vcores");
    }

    /** FairScheduler refuses requests that name a label, and uses nodes with a label as if they had none. */
    @Test
    void labelsCountHereOnly() throws Exception {
        Path file = FairSchedulerFixture.file(directory, "<allocations><queue name=\"a\"/></allocations>");
        Map<Class<?>, String> outcomes = FairSchedulerFixture.both(
                file,
                fixture -> {
                    RMNodeLabelsManager labels = fixture.rm.getRMContext().getNodeLabelManager();
                    labels.addToCluserNodeLabels(List.of(NodeLabel.newInstance("special", true)));
                    labels.addLabelsToNode(Map.of(NodeId.newInstance("127.2.0.1", 0), Set.of("special")));
                    fixture.node("127.2.0.1", 2_048, 2);
                    FairSchedulerFixture.App plain =
                            fixture.app("alice", "root.a").ask(1, 1_024, 1);
                    fixture.heartbeats(4);
                    return "without label " + plain.collect().size() + ", with label " + ofLabel(fixture);
                },
                YarnConfiguration.NODE_LABELS_ENABLED,
                "true");
        assertThat(outcomes.get(FairSchedulerFixture.FAIR)).isEqualTo("without label 1, with label refused");
        assertThat(outcomes.get(FairSchedulerFixture.OURS)).isEqualTo("without label 0, with label 1");
    }

    private static String ofLabel(FairSchedulerFixture fixture) throws Exception {
        FairSchedulerFixture.App app = fixture.app("alice", "root.a");
        ResourceRequest request = ResourceRequest.newBuilder()
                .priority(Priority.newInstance(1))
                .resourceName(ResourceRequest.ANY)
                .capability(Resource.newInstance(1_024, 1))
                .numContainers(1)
                .nodeLabelExpression("special")
                .build();
        try {
            app.am.allocate(List.of(request), List.of());
        } catch (InvalidLabelResourceRequestException e) {
            return "refused";
        }
        fixture.heartbeats(4);
        return String.valueOf(app.collect().size());
    }
}
