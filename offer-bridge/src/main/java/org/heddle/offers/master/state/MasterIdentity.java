// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

/** The names and addresses under which clients know the bridge. */
public record MasterIdentity(String id, String hostname, String ip, int port) {}
