// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationTimeoutType;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.heddle.scheduler.yarn.RmFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long applications may live. */
class LifetimeTest {
    private static final String QUEUES = "<heddle-scheduler version=\"1\"><queue name=\"root\">"
            + "<queue name=\"free\"/>"
            + "<queue name=\"short\"><max-application-lifetime>1h</max-application-lifetime>"
            + "<default-application-lifetime>10min</default-application-lifetime></queue>"
            + "<queue name=\"capped\"><max-application-lifetime>1h</max-application-lifetime></queue>"
            + "<queue name=\"brief\"><default-application-lifetime>1s</default-application-lifetime></queue>"
            + "</queue></heddle-scheduler>";

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "free, 0, -1",
        "free, 50, 50",
        "short, 0, 600",
        "short, -1, 600",
        "short, 1200, 1200",
        "short, 7200, 3600",
        "capped, 0, 3600",
        "capped, 7200, 3600",
        "brief, 0, 1",
        "brief, 99, 99",
    })
    void queueSaysHowLong(String queue, long asked, long granted) throws Exception {
        try (RmFixture fixture = new RmFixture(directory, QUEUES)) {
            assertThat(fixture.scheduler().checkAndGetApplicationLifetime("root." + queue, asked))
                    .isEqualTo(granted);
        }
    }

    @Test
    void applicationThatLivesTooLongIsKilled() throws Exception {
        try (RmFixture fixture =
                new RmFixture(directory, QUEUES, YarnConfiguration.RM_APPLICATION_MONITOR_INTERVAL_MS, "200")) {
            fixture.node("127.1.0.1", 4_000, 4);
            RMApp app = MockRMAppSubmitter.submit(
                    fixture.rm,
                    MockRMAppSubmissionData.Builder.createWithMemory(100, fixture.rm)
                            .withUser("alice")
                            .withQueue("brief")
                            .withUnmanagedAM(false)
                            .withWaitForAppAcceptedState(false) // by then its second may be over
                            .build());
            fixture.rm.waitForState(app.getApplicationId(), RMAppState.KILLED);
            assertThat(app.getApplicationTimeouts()).containsOnlyKeys(ApplicationTimeoutType.LIFETIME);
            RMApp longer = MockRMAppSubmitter.submit(
                    fixture.rm,
                    MockRMAppSubmissionData.Builder.createWithMemory(100, fixture.rm)
                            .withUser("alice")
                            .withQueue("capped")
                            .withUnmanagedAM(false)
                            .withApplicationTimeouts(Map.of(ApplicationTimeoutType.LIFETIME, 9_000L))
                            .withWaitForAppAcceptedState(false)
                            .build());
            fixture.rm.waitForState(longer.getApplicationId(), RMAppState.ACCEPTED);
            assertThat(longer.getApplicationTimeouts())
                    .containsEntry(ApplicationTimeoutType.LIFETIME, longer.getSubmitTime() + 3_600_000);
        }
    }
}
