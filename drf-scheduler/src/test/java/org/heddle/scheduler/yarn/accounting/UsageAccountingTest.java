// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.heddle.drf.DrfScheduler;
import org.heddle.scheduler.accounting.UsageQuery;
import org.heddle.scheduler.accounting.UsageReport;
import org.heddle.scheduler.yarn.RmFixture;
import org.heddle.settings.Clocks;
import org.heddle.testkit.SharedProxyKey;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Containers of 1,000 MiB and 2 vcores, at times around 10:00. */
@Tag("newer-line")
class UsageAccountingTest {
    private static final long HOUR = 3_600_000;
    private static final long TEN = Instant.parse("2026-11-23T10:00:00Z").toEpochMilli();
    private static final ApplicationAttemptId ATTEMPT =
            ApplicationAttemptId.newInstance(ApplicationId.newInstance(7, 1), 1);

    @TempDir
    Path directory;

    private long now;
    /** By how much the wall clock was set. */
    private long step;

    private final List<RMContainer> live = new ArrayList<>();
    private final SchedulerApplicationAttempt attempt = mock();
    private final RMContext context = mock();

    @BeforeEach
    void anApplicationOfAnn() {
        RMApp app = mock();
        when(app.getName()).thenReturn("sort");
        when(app.getApplicationType()).thenReturn("MAPREDUCE");
        ConcurrentMap<ApplicationId, RMApp> apps = new ConcurrentHashMap<>(Map.of(ATTEMPT.getApplicationId(), app));
        when(context.getRMApps()).thenReturn(apps);
        when(attempt.getApplicationId()).thenReturn(ATTEMPT.getApplicationId());
        when(attempt.getUser()).thenReturn("ann");
        when(attempt.getQueueName()).thenReturn("root.a");
        when(attempt.getLiveContainers()).thenAnswer(call -> List.copyOf(live));
    }

    /** A ResourceManager that writes to the same directory; initialised, as the standby of a pair is. */
    private MockRM standby() throws IOException {
        Path file = Files.writeString(directory.resolve("heddle-scheduler.xml"), RmFixture.ONE_LEAF);
        YarnConfiguration conf = new YarnConfiguration();
        conf.set(YarnConfiguration.RM_SCHEDULER, DrfScheduler.class.getName());
        conf.set("yarn.scheduler.heddle.configuration.file", file.toString());
        conf.set("yarn.scheduler.heddle.usage.directory", directory.toString());
        conf.set("yarn.scheduler.heddle.update-interval-ms", "0");
        conf.set(
                YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
                directory.resolve("node-attributes").toUri().toString());
        SharedProxyKey.install();
        return new MockRM(conf) {
            @Override
            protected ResourceScheduler createScheduler() {
                DrfScheduler scheduler = (DrfScheduler) super.createScheduler();
                scheduler.setClock(() -> now);
                return scheduler;
            }
        };
    }

    @Test
    void aStandbyThatTakesOverKeepsWhatTheOtherManagerHasWritten() throws IOException {
        now = TEN;
        MockRM rm = standby();
        UsageAccounting other = at(TEN);
        container(1, TEN);
        finish(other, TEN + 2 * 3_600_000);
        other.stop();
        live.clear();
        now += 10_000;
        rm.start();
        now += 120_000;
        DrfScheduler scheduler = (DrfScheduler) rm.getResourceScheduler();
        scheduler.update();
        rm.stop();
        assertThat(memory(at(now))).isEqualTo(1_000.0 * 2 * 3_600);
    }

    @Test
    void aManagerThatIsKilledInItsFirstMinuteLosesNothingOfWhatRunsOn() throws IOException {
        at(TEN).stop();
        RMContainer container = container(1, TEN + 1_000);
        UsageAccounting next = at(TEN + 31_000);
        next.recovered(attempt, container);
        finish(next, TEN + 41_000);
        assertThat(memory(next)).isEqualTo(1_000.0 * 40);
        next.stop();
    }

    private UsageAccounting at(long nowMillis) {
        now = nowMillis;
        return UsageAccounting.in(
                directory.toString(),
                new Configuration(),
                context,
                () -> List.of(attempt),
                new Clocks(() -> now, () -> now + step));
    }

    private RMContainer container(int number, long createdMillis) {
        RMContainer container = mock();
        when(container.getContainerId()).thenReturn(ContainerId.newContainerId(ATTEMPT, number));
        when(container.getCreationTime()).thenReturn(createdMillis);
        when(container.getAllocatedResource()).thenReturn(Resource.newInstance(1_000, 2));
        live.add(container);
        return container;
    }

    private void tick(UsageAccounting usage, long nowMillis) {
        now = nowMillis;
        usage.tick();
    }

    private void finish(UsageAccounting usage, long nowMillis) {
        now = nowMillis;
        usage.finish();
    }

    private void end(UsageAccounting usage, RMContainer container, int exitStatus, long nowMillis) {
        now = nowMillis;
        live.remove(container);
        ContainerStatus status =
                ContainerStatus.newInstance(container.getContainerId(), ContainerState.COMPLETE, "", exitStatus);
        usage.ended(attempt, container, status);
    }

    /** Seconds of memory by day or other columns, as the report of November says it. */
    private static UsageReport report(UsageAccounting usage, String by) throws IOException {
        return usage.report(UsageQuery.parse(by, "2026-11", null, null, TEN));
    }

    private static double memory(UsageAccounting usage) throws IOException {
        List<UsageReport.Line> lines = report(usage, "user").lines();
        return lines.isEmpty() ? 0 : lines.get(0).seconds("memory-mb");
    }

    @Test
    void aContainerCountsFromItsAllocationToItsEnd() throws IOException {
        UsageAccounting usage = at(TEN);
        RMContainer first = container(1, TEN + 1_000);
        container(2, TEN + 30_000);
        tick(usage, TEN + 59_000);
        assertThat(memory(usage)).as("not yet a minute").isZero();
        tick(usage, TEN + 61_000);
        assertThat(memory(usage)).isEqualTo(1_000.0 * (60 + 31));
        end(usage, first, ContainerExitStatus.PREEMPTED, TEN + 71_000);
        finish(usage, TEN + 72_000);
        UsageReport.Line line =
                report(usage, "queue,user,application,name,type").lines().get(0);
        assertThat(line.key()).containsExactly("root.a", "ann", "application_7_0001", "sort", "MAPREDUCE");
        assertThat(line.resourceSeconds())
                .containsEntry("memory-mb", 1_000.0 * (70 + 42))
                .containsEntry("vcores", 2.0 * (70 + 42));
        assertThat(line.containers()).isEqualTo(1);
        assertThat(line.preempted()).isEqualTo(1);
        usage.stop();
    }

    @Test
    void eachHourHasItsPart() throws IOException {
        UsageAccounting usage = at(TEN);
        container(1, TEN);
        tick(usage, TEN + 2 * 3_600_000 + 5_000);
        usage.stop();
        try (var files = Files.list(directory.resolve("2026-11"))) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(name -> !name.startsWith(".")))
                    .containsExactlyInAnyOrder("2026-11-23T10.jsonl", "2026-11-23T11.jsonl", "2026-11-23T12.jsonl");
        }
        UsageAccounting later = at(TEN + 3 * 3_600_000);
        assertThat(memory(later)).isEqualTo(1_000.0 * (2 * 3_600 + 5));
        assertThat(report(later, "day").lines()).hasSize(1);
        later.stop();
    }

    @Test
    void aContainerThatSurvivesTheManagerLosesNothingAndCountsOnce() throws IOException {
        UsageAccounting killed = at(TEN);
        RMContainer survivor = container(1, TEN);
        tick(killed, TEN + 60_000);
        killed.stop(); // without a last account, as after kill -9

        live.clear();
        UsageAccounting next = at(TEN + 100_000);
        tick(next, TEN + 161_000);
        live.add(survivor);
        next.recovered(attempt, survivor);
        next.recovered(attempt, survivor);
        tick(next, TEN + 222_000);
        assertThat(memory(next)).isEqualTo(1_000.0 * 222);
        next.stop();
    }

    @Test
    void aNodeThatComesBackLaterAddsNothingTwice() throws IOException {
        UsageAccounting usage = at(TEN);
        RMContainer container = container(1, TEN);
        tick(usage, TEN + 3_000_000);
        usage.recovered(attempt, container);
        tick(usage, TEN + 3_060_000);
        assertThat(memory(usage)).isEqualTo(1_000.0 * 3_060);
        usage.stop();
    }

    @Test
    void whatCannotBeWrittenIsKeptInMemory() throws IOException {
        Path blocked = Files.writeString(directory.resolve("2026-11"), "a file where the directory would be");
        UsageAccounting usage = at(TEN);
        container(1, TEN);
        tick(usage, TEN + 3_600_000);
        tick(usage, TEN + 3_660_000);
        Files.delete(blocked);
        assertThat(memory(usage)).isEqualTo(1_000.0 * 3_660);
        finish(usage, TEN + 3_661_000);
        usage.stop();
        UsageAccounting next = at(TEN + 3_700_000);
        assertThat(memory(next)).isEqualTo(1_000.0 * 3_661);
        next.stop();
    }

    @Test
    void anApplicationThatIsForgottenHasNoName() throws IOException {
        when(context.getRMApps()).thenReturn(new ConcurrentHashMap<>());
        UsageAccounting usage = at(TEN);
        container(1, TEN);
        finish(usage, TEN + 1_000);
        assertThat(report(usage, "name").lines().get(0).key()).containsExactly("");
        usage.stop();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, HOUR, -HOUR, 400 * 24 * HOUR})
    void aClockThatIsSetChangesTheHoursAndNotTheUse(long by) throws IOException {
        UsageAccounting usage = at(TEN);
        RMContainer first = container(1, TEN);
        tick(usage, TEN + 600_000);
        container(2, TEN + 630_000);
        step = by;
        end(usage, first, ContainerExitStatus.SUCCESS, TEN + 650_000);
        finish(usage, TEN + 660_000);
        container(3, TEN + 660_000 + by);
        finish(usage, TEN + 720_000);
        assertThat(total(usage)).isBetween(1_000.0 * (650 + 60 + 60), 1_000.0 * (650 + 120 + 60));
        step = 0;
        finish(usage, TEN + 780_000);
        usage.stop();
        assertThat(total(at(TEN + 790_000))).isBetween(1_000.0 * (650 + 120 + 120), 1_000.0 * (650 + 180 + 120));
    }

    @Test
    void anHourThatWasWrittenWithAClockAheadIsContinued() throws IOException {
        step = HOUR;
        UsageAccounting ahead = at(TEN);
        container(1, TEN + step);
        finish(ahead, TEN + 60_000);
        ahead.stop();
        step = 0;
        live.clear();
        UsageAccounting next = at(TEN + 120_000);
        container(2, TEN + 120_000);
        finish(next, TEN + HOUR + 60_000);
        next.stop();
        assertThat(total(at(TEN + HOUR + 70_000))).isEqualTo(1_000.0 * (60 + 3_540));
    }

    private static double total(UsageAccounting usage) throws IOException {
        return usage.report(UsageQuery.parse("user", null, "2026-01-01", "2028-01-01", TEN)).lines().stream()
                .mapToDouble(line -> line.seconds("memory-mb"))
                .sum();
    }
}
