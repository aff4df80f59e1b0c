// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.heddle.scheduler.yarn.RunningManager;
import org.junit.jupiter.api.Test;

/**
 * A ResourceManager that stands by has a scheduler too, but an idle one that must not be taken for the real one.
 * Hadoop's own filter in front of our servlet sees to that.
 */
class StandbyTest {
    @Test
    void itNeverAnswersForTheActiveOne() throws Exception {
        Map<String, String> pair = new HashMap<>();
        pair.put(YarnConfiguration.RM_HA_ENABLED, "true");
        pair.put(YarnConfiguration.AUTO_FAILOVER_ENABLED, "false");
        pair.put(YarnConfiguration.RM_HA_IDS, "rm1,rm2");
        pair.put(YarnConfiguration.RM_HA_ID, "rm1");
        for (String id : new String[] {"rm1", "rm2"}) {
            for (String address : RunningManager.ADDRESSES) {
                pair.put(address + "." + id, "127.0.0.1:0");
            }
        }
        try (WebServer standby = new WebServer(pair)) {
            HttpResponse<String> answer = standby.get("/heddle/v1/scheduler");

            assertThat(answer.statusCode()).isEqualTo(307);
            assertThat(answer.body()).contains("Can not find any active RM").doesNotContain("jainIndex");
        }
    }
}
