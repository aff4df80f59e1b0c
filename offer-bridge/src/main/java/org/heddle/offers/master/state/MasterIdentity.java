// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

/** How the bridge names itself to clients. */
public record MasterIdentity(String id, String hostname, String ip, int port) {}
