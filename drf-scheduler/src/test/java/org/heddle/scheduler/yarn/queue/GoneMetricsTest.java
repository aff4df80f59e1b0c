// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.management.ObjectName;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.placement.ApplicationPlacementContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppRemovedSchedulerEvent;
import org.heddle.scheduler.yarn.RmFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queues and users that are gone leave no metrics behind. */
class GoneMetricsTest {
    private static final String A = "127.1.0.1";
    private static final String FILE = "<heddle-scheduler version=\"1\"><new-queues/><queue name=\"root\">"
            + "<queue name=\"kept\"/><queue name=\"other\"/></queue></heddle-scheduler>";

    @TempDir
    Path directory;

    @Test
    void queuesThatAreDroppedTakeTheirMetricsWithThem() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, FILE)) {
            fixture.node(A, 8_000, 8);
            fixture.scheduler().update();
            Set<String> beans = beans();
            Set<String> cached = Set.copyOf(QueueMetrics.getQueueMetrics().keySet());
            for (int i = 0; i < 100; i++) {
                ApplicationId id = begin(fixture, i, "root.of.user" + i, "user" + i);
                fixture.scheduler().update();
                if (i % 50 == 0) {
                    assertThat(beans())
                            .anyMatch(name -> name.contains("q2=user0") || name.contains("q2=user50"))
                            .hasSizeGreaterThan(beans.size() + 5);
                }
                end(fixture, id);
                fixture.scheduler().update();
            }
            assertThat(beans()).isEqualTo(beans);
            assertThat(QueueMetrics.getQueueMetrics()).containsOnlyKeys(cached);

            ApplicationId again = begin(fixture, 777, "root.of.user7", "user7");
            assertThat(beans()).anyMatch(name -> name.contains("q2=user7") && name.contains("user=user7"));
            assertThat(fixture.queue("root.of.user7").getMetrics().getAppsSubmitted())
                    .isEqualTo(1);
            end(fixture, again);
            fixture.scheduler().update();
            assertThat(beans()).isEqualTo(beans);
        }
    }

    @Test
    void aUserHasMetricsWhereItHasAnApplication() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.atHeartbeats(FILE))) {
            fixture.node(A, 8_000, 8);
            fixture.scheduler().update();
            Set<String> beans = beans();
            ApplicationId first = begin(fixture, 1, "root.kept", "alice");
            ApplicationId second = begin(fixture, 2, "root.kept", "alice");
            end(fixture, first);
            fixture.scheduler().update();
            assertThat(ofAlice()).hasSize(4).allMatch(name -> !name.contains("q1") || name.contains("q1=kept"));
            fixture.scheduler().moveApplication(second, "root.other");
            fixture.scheduler().update();
            assertThat(ofAlice()).hasSize(4).allMatch(name -> !name.contains("q1") || name.contains("q1=other"));
            assertThat(RmFixture.busy(fixture.queue("root.other").getMetrics().getUserMetrics("alice")))
                    .contains("pending 3000 MB 3 cores 3 containers", "applications 1 pending");
            end(fixture, second);
            fixture.scheduler().update();
            assertThat(beans()).isEqualTo(beans);
            fixture.assertNothingLeft();
        }
    }

    /** Begins an application that the ResourceManager knows by name only, which is quicker than a submission. */
    private static ApplicationId begin(RmFixture fixture, int number, String queue, String user) {
        ApplicationId id = ApplicationId.newInstance(4_711, number);
        ApplicationAttemptId attempt = ApplicationAttemptId.newInstance(id, 1);
        fixture.rm.getRMContext().getRMApps().put(id, mock(RMApp.class));
        fixture.scheduler().handle(new AppAddedSchedulerEvent(id, queue, user, new ApplicationPlacementContext(queue)));
        fixture.scheduler().handle(new AppAttemptAddedSchedulerEvent(attempt, false));
        fixture.scheduler()
                .allocate(
                        attempt,
                        List.of(ResourceRequest.newInstance(
                                Priority.newInstance(1), ResourceRequest.ANY, Resource.newInstance(1_000, 1), 3)),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        new ContainerUpdates());
        return id;
    }

    private static void end(RmFixture fixture, ApplicationId id) {
        ApplicationAttemptId attempt = ApplicationAttemptId.newInstance(id, 1);
        fixture.scheduler().handle(new AppAttemptRemovedSchedulerEvent(attempt, RMAppAttemptState.FINISHED, false));
        fixture.scheduler().handle(new AppRemovedSchedulerEvent(id, RMAppState.FINISHED));
        fixture.rm.drainEvents();
        fixture.rm.getRMContext().getRMApps().remove(id);
    }

    private static Set<String> ofAlice() throws Exception {
        return beans().stream().filter(name -> name.contains("user=alice")).collect(Collectors.toSet());
    }

    private static Set<String> beans() throws Exception {
        return ManagementFactory.getPlatformMBeanServer().queryNames(new ObjectName("Hadoop:*"), null).stream()
                .map(ObjectName::getCanonicalName)
                .filter(name -> name.contains("QueueMetrics"))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
