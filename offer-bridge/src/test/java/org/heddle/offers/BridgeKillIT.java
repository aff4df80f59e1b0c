// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.heddle.offers.fixture.BridgeProcess;
import org.heddle.offers.fixture.CountingFramework;
import org.heddle.offers.fixture.Pause;
import org.heddle.testkit.HeddleCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The bridge is killed at random instants while tasks are launched, run and end: the laws of {@link CountingFramework}.
 */
@Tag("soak")
class BridgeKillIT {
    private static final int KILLS = Integer.getInteger("heddle.offers.kills", 8);

    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .addressesAsNames()
            .nodes(2, Map.of("memory-mb", 4096L, "vcores", 8L))
            .build();

    @Test
    void nothingIsLost(@TempDir Path directory) throws Exception {
        Random random = new Random(20261121);
        List<Long> gaps = new ArrayList<>();
        try (BridgeProcess bridge = new BridgeProcess(cluster, directory);
                CountingFramework framework = new CountingFramework(directory, bridge::address, bridge::tail)) {
            for (int kill = 0; kill < KILLS; kill++) {
                framework.awaitEnds(4);
                Pause.millis(random.nextInt(1000));
                gaps.add(bridge.replace());
            }
            framework.awaitEnds(4);
            framework.finish();
            System.out.println("kills " + KILLS + ": " + framework.check() + ", ms without a bridge " + gaps);
            assertThat(framework.accepted()).isGreaterThan(KILLS * 3);
        }
    }
}
