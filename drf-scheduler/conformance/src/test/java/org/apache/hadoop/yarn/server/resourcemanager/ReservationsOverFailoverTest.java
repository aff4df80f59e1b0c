// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.yarn.server.resourcemanager;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.heddle.drf.DrfScheduler;
import org.junit.Before;
import org.junit.jupiter.api.BeforeEach;

/**
 * Hadoop's tests of reservations that outlive their ResourceManager, which name CapacityScheduler before each test;
 * here both managers are told afterwards that it is ours. In Hadoop's package, for what they are told is visible there
 * only. Public, and with the annotations of both JUnits, for Hadoop 3.4's.
 */
public class ReservationsOverFailoverTest extends TestReservationSystemWithRMHA {
    /** The same parts as {@code ReservationSystemTestUtil.setupQueueConfiguration} gives them. */
    private static final String QUEUES = "<heddle-scheduler version=\"1\"><queue name=\"root\">"
            + "<queue name=\"default\"/><queue name=\"a\"/>"
            + "<queue name=\"dedicated\"><weight>8</weight><plan/></queue></queue></heddle-scheduler>";

    @Before
    @BeforeEach
    @Override
    public void setup() throws Exception {
        super.setup();
        Path file = Files.writeString(Files.createTempFile("reservations", ".xml"), QUEUES);
        file.toFile().deleteOnExit();
        confForRM1.set(YarnConfiguration.RM_SCHEDULER, DrfScheduler.class.getName());
        confForRM1.set("yarn.scheduler.heddle.configuration.file", file.toString());
        confForRM2.set(YarnConfiguration.RM_SCHEDULER, DrfScheduler.class.getName());
        confForRM2.set("yarn.scheduler.heddle.configuration.file", file.toString());
    }
}
