// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.heddle.offers.http.Credentials;
import org.heddle.offers.http.Tls;
import org.heddle.offers.master.state.MasterSettings;
import org.heddle.offers.yarn.YarnSettings;
import org.jspecify.annotations.Nullable;

/**
 * All that a bridge is set to.
 *
 * @param http where frameworks connect
 * @param agents where agents connect
 * @param hostname how others reach this machine; empty for the name of the address, or the machine's own where that is all
 *     addresses
 * @param agentAddresses where agents look for the bridge that leads, host:port, separated by commas; empty for this one
 * @param stateDirectory of the journal
 * @param largestBody of a request, bytes
 */
public record BridgeSettings(
        InetSocketAddress http,
        InetSocketAddress agents,
        String hostname,
        String agentAddresses,
        Path stateDirectory,
        int largestBody,
        Access access,
        @Nullable Standby standby,
        MasterSettings limits,
        YarnSettings yarn) {
    /**
     * How one of several bridges is chosen.
     *
     * @param zooKeeper host:port, separated by commas
     * @param path below which the election takes place
     * @param sessionMillis a leader that ZooKeeper has not heard of for so long is replaced
     */
    public record Standby(String zooKeeper, String path, long sessionMillis) {}

    /**
     * Who may connect.
     *
     * @param credentials null if everybody may, which is so on loopback addresses only
     * @param tls null if connections are not encrypted, likewise
     * @param connections most of frameworks and operators at once
     */
    public record Access(
            @Nullable Credentials credentials, @Nullable Tls tls, int connections) {
        public static final Access LOCAL = new Access(null, null, 10_000);
    }
}
