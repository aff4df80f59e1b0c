// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.offers;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.heddle.offers.Bridge;
import org.heddle.offers.BridgeSettingsReader;
import org.heddle.testkit.HeddleCluster;

/** A bridge on free ports of this machine, until it is closed. */
final class DemoBridge implements AutoCloseable {
    private final Bridge bridge;

    /**
     * @param home for its log of writes
     * @param keys more keys, without {@code heddle.bridge.}
     */
    DemoBridge(HeddleCluster cluster, Path home, Map<String, String> keys) throws Exception {
        Configuration conf = cluster.configuration();
        conf.set("heddle.bridge.http.address", "127.0.0.1:0");
        conf.set("heddle.bridge.agent.address", "127.0.0.1:0");
        conf.set("heddle.bridge.state.dir", home.resolve("bridge").toString());
        keys.forEach((key, value) -> conf.set("heddle.bridge." + key, value));
        bridge = Bridge.start(BridgeSettingsReader.read(conf), conf);
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + bridge.httpAddress().getPort());
    }

    @Override
    public void close() throws IOException {
        bridge.close();
    }
}
