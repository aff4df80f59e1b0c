// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.heddle.offers.master.Limits;
import org.heddle.offers.model.Bundle;
import org.heddle.offers.model.PortRange;
import org.heddle.offers.yarn.YarnSettings;

/** Settings of bridges in tests: free ports, short waits. */
public final class TestBridges {
    private TestBridges() {}

    public static BridgeSettings settings(Path directory, int httpPort, int agentPort) {
        return settings(directory, httpPort, agentPort, 15_000);
    }

    /** For a cluster whose scheduler waits that long before it kills. */
    public static BridgeSettings settings(Path directory, int httpPort, int agentPort, long graceMillis) {
        Limits limits = new Limits(
                2_000,
                20_000,
                60_000,
                60_000,
                2_000,
                100,
                Bundle.of(100, 64),
                64,
                1024,
                new PortRange(31000, 31999),
                10,
                0,
                600_000,
                60_000);
        YarnSettings yarn = new YarnSettings(
                Map.of("*", "root.default"),
                "root.%r",
                directory.resolve("staging").toUri().toString(),
                "",
                "",
                false,
                false,
                16,
                120_000,
                "auto",
                100,
                2_000,
                graceMillis,
                Duration.ofSeconds(1));
        return new BridgeSettings(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), httpPort),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), agentPort),
                "",
                "",
                directory.resolve("state"),
                4 << 20,
                BridgeSettings.Access.LOCAL,
                null,
                limits,
                yarn);
    }
}
