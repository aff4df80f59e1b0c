// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.heddle.offers.fixture.WireClient;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Names are parts of names in the log, where one of more than 65,535 bytes would end the bridge. */
@Tag("pure")
class CallValidatorTest {
    private static @Nullable String problem(String role) {
        FrameworkInfo info = WireClient.info("n")
                .addRoles("short")
                .addRoles(role)
                .addCapabilities(
                        FrameworkInfo.Capability.newBuilder().setType(FrameworkInfo.Capability.Type.MULTI_ROLE))
                .build();
        return CallValidator.problem(Call.newBuilder()
                .setType(Call.Type.SUBSCRIBE)
                .setSubscribe(Call.Subscribe.newBuilder().setFrameworkInfo(info))
                .build());
    }

    @Test
    void aRoleHasALimit() {
        assertThat(problem("r".repeat(255))).isNull();
        for (int length : List.of(256, 65_500, 1_000_000)) {
            assertThat(problem("r".repeat(length))).isEqualTo("A role has " + length + " characters: want up to 255");
        }
    }
}
