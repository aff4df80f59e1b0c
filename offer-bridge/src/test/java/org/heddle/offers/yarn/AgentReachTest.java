// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;

class AgentReachTest {
    private static String problem(String addresses, String... nodes) {
        return new AgentReach(addresses, "here"::equals).problem(List.of(nodes));
    }

    @Test
    void onlyThisMachineReachesALoopbackAddress() {
        assertThat(problem("127.0.0.1:5055", "here", "n1"))
                .isEqualTo(
                        "Agents on 1 of 2 nodes (n1) cannot reach the bridge at 127.0.0.1:5055, because only this machine"
                                + " reaches a loopback address: set heddle.bridge.agent.address to an address of this machine that"
                                + " the nodes reach");
        assertThat(problem("127.0.0.1:5055", "n1", "n2", "n3", "n4")).contains("4 of 4 nodes (n1, n2, n3, ..)");
        assertThat(problem("127.0.0.1:5055,127.0.0.2:5055", "n1")).contains("1 of 1 nodes (n1)");
        assertThat(problem("127.0.0.1:5055", "here")).isEmpty();
        assertThat(problem("127.0.0.1:5055")).isEmpty();
    }

    @Test
    void otherAddressesAreTheOperatorsChoice() {
        assertThat(problem("10.1.2.3:5055", "n1")).isEmpty();
        assertThat(problem("127.0.0.1:5055,10.1.2.3:5055", "n1")).isEmpty();
    }

    @Test
    void loopbackAddressesAndThoseOfInterfacesAreThisMachine() {
        assertThat(AgentReach.of("127.0.0.1:5055")
                        .cutOff(List.of("127.0.70.9", "localhost", "203.0.113.7", "no.such.host")))
                .containsExactly("203.0.113.7", "no.such.host");
    }

    @Test
    void theAddressTowardsTheResourceManagerIsFound() throws Exception {
        Configuration conf = new Configuration(false);
        assertThat(AgentReach.towardsResourceManager(conf).isLoopbackAddress())
                .as("no ResourceManager is named")
                .isTrue();
        conf.set(YarnConfiguration.RM_ADDRESS, "127.0.70.9:8032");
        assertThat(AgentReach.towardsResourceManager(conf).isLoopbackAddress()).isTrue();
        conf.set(YarnConfiguration.RM_ADDRESS, "no.such.host:8032");
        assertThatThrownBy(() -> AgentReach.towardsResourceManager(conf))
                .hasMessage("the ResourceManager's host 'no.such.host' is unknown");
        conf.set(YarnConfiguration.RM_HA_ENABLED, "true");
        conf.set(YarnConfiguration.RM_HA_IDS, "rm1,rm2");
        conf.set(YarnConfiguration.RM_HOSTNAME + ".rm1", "127.0.0.1");
        assertThat(AgentReach.towardsResourceManager(conf).isLoopbackAddress()).isTrue();
    }
}
