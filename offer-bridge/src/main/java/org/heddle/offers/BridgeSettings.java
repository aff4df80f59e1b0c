// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.heddle.offers.master.Limits;
import org.heddle.offers.yarn.YarnSettings;

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
        Limits limits,
        YarnSettings yarn) {}
