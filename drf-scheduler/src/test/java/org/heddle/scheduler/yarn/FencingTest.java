// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.MemoryRMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.StoreFencedException;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.records.ApplicationStateData;
import org.heddle.testkit.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ResourceManager that learns from its store that another one leads stands back, and may lead again. */
class FencingTest {
    private static final StateChangeRequestInfo REQUEST = new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER);

    /** A store that another manager has taken over: it says so at the first change. */
    static final class TakenOver extends MemoryRMStateStore {
        @Override
        public void updateApplicationState(ApplicationStateData state) {
            notifyStoreOperationFailed(new StoreFencedException());
        }
    }

    @Test
    void aManagerThatIsFencedStandsBackAndMayLeadAgain(@TempDir Path directory) throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF, pair())) {
            fixture.rm.getRMContext().getRMAdminService().transitionToActive(REQUEST);
            fixture.node("10.0.0.1", 4_096, 4);
            fixture.managed("alice", "root.default", 1_024);

            fixture.rm.getRMContext().getStateStore().updateApplicationState(null);
            MockRM manager = fixture.rm;
            Await.until("the manager to have stood back", Duration.ofSeconds(60), () -> {
                synchronized (manager) { // the monitor is held until the new scheduler is initialised
                    return manager.getRMContext().getHAServiceState() == HAServiceState.STANDBY;
                }
            });

            fixture.rm.getRMContext().getRMAdminService().transitionToActive(REQUEST);
            assertThat(fixture.scheduler().getNumClusterNodes()).isZero();
            fixture.node("10.0.0.1", 4_096, 4);
            assertThat(fixture.scheduler().getNumClusterNodes()).isEqualTo(1);
            RmFixture.App again = fixture.managed("alice", "root.default", 1_024);
            assertThat(fixture.scheduler().getAppsInQueue("root.default"))
                    .containsExactly(again.app.getCurrentAppAttempt().getAppAttemptId());
        }
    }

    private static String[] pair() {
        List<String> pair = new ArrayList<>(List.of(
                YarnConfiguration.RM_HA_ENABLED, "true",
                YarnConfiguration.AUTO_FAILOVER_ENABLED, "false",
                YarnConfiguration.RECOVERY_ENABLED, "true",
                YarnConfiguration.RM_STORE, TakenOver.class.getName(),
                YarnConfiguration.RM_HA_IDS, "rm1,rm2",
                YarnConfiguration.RM_HA_ID, "rm1"));
        for (String id : List.of("rm1", "rm2")) {
            for (String address : YarnConfiguration.getServiceAddressConfKeys(new Configuration())) {
                pair.addAll(List.of(address + "." + id, "127.0.0.1:0"));
            }
        }
        return pair.toArray(String[]::new);
    }
}
