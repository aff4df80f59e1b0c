// SPDX-License-Identifier: Apache-2.0
package org.heddle.mesosdriver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.heddle.offers.client.protocol.ExecutorEnvironment;
import org.junit.jupiter.api.Test;

class ExecutorEnvironmentTest {
    private static Map<String, String> executor(String id) {
        return Map.of("MESOS_AGENT_ENDPOINT", "127.0.0.1:1", "MESOS_FRAMEWORK_ID", "f", "MESOS_EXECUTOR_ID", id);
    }

    @Test
    void anIdMayHaveAnyCharacter() {
        assertThat(new ExecutorEnvironment(executor("t\u00e2che")).executorId()).isEqualTo("t\u00e2che");
    }

    @Test
    void anIdThatTheLocaleCannotReadIsRefused() {
        assertThatThrownBy(() -> new ExecutorEnvironment(executor("t\ufffd\ufffdche")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("MESOS_EXECUTOR_ID")
                .hasMessageContaining("LC_ALL=C.UTF-8");
    }
}
