// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.heddle.offers.http.Credentials;
import org.heddle.offers.http.Tls;
import org.heddle.offers.master.Limits;
import org.heddle.offers.yarn.YarnSettings;
import org.jspecify.annotations.Nullable;

/**
 * All that a bridge is set to.
 *
 * @param http where frameworks connect
 * @param agents where agents connect
 * @param stateDirectory of the journal
 * @param largestBody of a request, bytes
 */
public record BridgeSettings(
        InetSocketAddress http,
        InetSocketAddress agents,
        Path stateDirectory,
        int largestBody,
        Access access,
        Limits limits,
        YarnSettings yarn) {
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
