// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.reservation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReservationSystemKeysTest {
    private static final String PREFIX = "yarn.resourcemanager.reservation-system.";

    private static Configuration enabled() {
        Configuration conf = new Configuration(false);
        conf.setBoolean(YarnConfiguration.RM_RESERVATION_SYSTEM_ENABLE, true);
        return conf;
    }

    @ParameterizedTest
    @CsvSource({
        "class, org.apache.hadoop.yarn.server.resourcemanager.reservation.FairReservationSystem",
        "class, ' org.apache.hadoop.yarn.server.resourcemanager.reservation.CapacityReservationSystem'",
        "plan.follower, org.apache.hadoop.yarn.server.resourcemanager.reservation.FairSchedulerPlanFollower"
    })
    void aClassOfAnotherSchedulerIsRefusedWithTheKeyAndTheWayOut(String key, String value) {
        Configuration conf = enabled();
        conf.set(PREFIX + key, value);
        assertThatThrownBy(() -> HeddleReservationSystem.install(conf))
                .hasMessageContaining(PREFIX + key + " = " + value.strip())
                .hasMessageContaining("remove the key");
        conf.setBoolean(YarnConfiguration.RM_RESERVATION_SYSTEM_ENABLE, false);
        HeddleReservationSystem.install(conf); // not in force
    }

    @Test
    void anAdministratorsOwnClassIsKept() {
        Configuration conf = enabled();
        HeddleReservationSystem.install(conf);
        assertThat(conf.get(PREFIX + "class")).isEqualTo(HeddleReservationSystem.class.getName());
        conf.set(PREFIX + "class", "com.example.Own");
        HeddleReservationSystem.install(conf);
        assertThat(conf.get(PREFIX + "class")).isEqualTo("com.example.Own");
    }
}
