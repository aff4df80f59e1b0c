// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import java.net.InetSocketAddress;
import org.heddle.offers.http.Credentials;
import org.heddle.offers.http.Tls;
import org.heddle.offers.master.state.MasterSettings;
import org.heddle.offers.yarn.YarnSettings;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a bridge.
 *
 * @param http address at which frameworks and operators connect
 * @param agents address at which agents connect; with TLS if others reach it
 * @param hostname host name in the addresses that clients are given; empty for the host of {@code http}, or for
 *     this machine's own name if the bridge listens on all addresses
 * @param agentAddresses addresses at which agents look for the leading bridge: {@code host:port}, separated by
 *     commas; empty for this bridge's own
 * @param state directory of the journal: a path, or a URI of HDFS
 */
public record BridgeSettings(
        InetSocketAddress http,
        InetSocketAddress agents,
        String hostname,
        String agentAddresses,
        String state,
        Access access,
        Kerberos kerberos,
        @Nullable Standby standby,
        MasterSettings limits,
        YarnSettings yarn) {
    /**
     * The bridge's own identity in a cluster with Kerberos.
     *
     * @param principal with its host; empty for none
     * @param keytab file with its key; empty for none
     */
    public record Kerberos(String principal, String keytab) {
        public static final Kerberos NONE = new Kerberos("", "");
    }

    /**
     * Leader election between several bridges.
     *
     * @param zooKeeper ZooKeeper's servers: {@code host:port}, separated by commas
     * @param path node of ZooKeeper below which the election takes place
     * @param sessionMillis time after which a leader without contact to ZooKeeper is replaced, in ms
     */
    public record Standby(String zooKeeper, String path, long sessionMillis) {}

    /**
     * Authentication and encryption.
     *
     * @param credentials principals and their secrets; null for no authentication, which is allowed on loopback
     *     addresses only
     * @param tls key and certificate of the address for frameworks; null for connections without encryption
     */
    public record Access(
            @Nullable Credentials credentials, @Nullable Tls tls) {
        public static final Access LOCAL = new Access(null, null);
    }
}
