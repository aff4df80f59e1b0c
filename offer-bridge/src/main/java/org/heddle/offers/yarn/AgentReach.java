// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.yarn;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.yarn.conf.HAUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Whether agents on the cluster's nodes can reach the bridge. */
public final class AgentReach {
    private static final int MOST_NAMES = 3;

    private final boolean thisMachineOnly;
    private final String addresses;
    private final Predicate<String> local;

    /**
     * @param addresses at which agents look for bridges: {@code host:port}, separated by commas
     * @param local whether a node with that host name is this machine
     */
    AgentReach(String addresses, Predicate<String> local) {
        this.addresses = addresses;
        this.local = local;
        boolean loopback = true;
        for (String address : addresses.split(",", -1)) {
            InetAddress host = NetUtils.createSocketAddr(address.strip()).getAddress();
            loopback &= host != null && host.isLoopbackAddress();
        }
        this.thisMachineOnly = loopback;
    }

    static AgentReach of(String addresses) {
        return new AgentReach(addresses, AgentReach::isThisMachine);
    }

    /** Nodes of this list from which agents cannot reach the bridge. */
    List<String> cutOff(List<String> nodes) {
        if (thisMachineOnly) {
            return nodes.stream().filter(node -> !local.test(node)).toList();
        }
        return List.of();
    }

    /** One sentence for the nodes that are cut off, some or all of those of the cluster; empty if there are none. */
    String problem(List<String> nodes) {
        List<String> lost = cutOff(nodes);
        if (lost.isEmpty()) {
            return "";
        }
        List<String> names = new ArrayList<>(lost.subList(0, Math.min(MOST_NAMES, lost.size())));
        if (lost.size() > MOST_NAMES) {
            names.add("..");
        }
        return "Agents on " + lost.size() + " of " + nodes.size() + " nodes (" + String.join(", ", names)
                + ") cannot reach the bridge at " + addresses
                + ", because only this machine reaches a loopback address: set heddle.bridge.agent.address to an address"
                + " of this machine that the nodes reach";
    }

    private static boolean isThisMachine(String host) {
        InetAddress address = NetUtils.createSocketAddrForHost(host, 0).getAddress();
        try {
            return address != null
                    && (address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null);
        } catch (SocketException e) {
            return false;
        }
    }

    /**
     * The address of this machine from which packets to the ResourceManager leave; loopback if it runs on this machine
     * under a loopback address, or if the configuration names no ResourceManager.
     *
     * @throws IOException one sentence: there is no such host, or no route to it
     */
    public static InetAddress towardsResourceManager(Configuration conf) throws IOException {
        InetSocketAddress manager = resourceManager(conf);
        if (manager.isUnresolved()) {
            throw new UnknownHostException("the ResourceManager's host '" + manager.getHostString() + "' is unknown");
        }
        if (manager.getAddress().isAnyLocalAddress()) {
            return InetAddress.getLoopbackAddress();
        }
        try (DatagramSocket probe = new DatagramSocket()) {
            // Sends nothing: the kernel only chooses the route.
            probe.connect(manager);
            return probe.getLocalAddress();
        } catch (SocketException e) {
            throw new IOException(
                    "there is no route to the ResourceManager at " + manager + " (" + e.getMessage() + ")", e);
        }
    }

    /** The first of several ResourceManagers. */
    private static InetSocketAddress resourceManager(Configuration conf) {
        String address = YarnConfiguration.RM_ADDRESS;
        if (HAUtil.isHAEnabled(conf)) {
            String id = HAUtil.getRMHAIds(conf).stream().findFirst().orElse("");
            String named = conf.get(HAUtil.addSuffix(address, id));
            String host = conf.get(HAUtil.addSuffix(YarnConfiguration.RM_HOSTNAME, id), "0.0.0.0");
            return NetUtils.createSocketAddr(named == null ? host : named, YarnConfiguration.DEFAULT_RM_PORT);
        }
        return conf.getSocketAddr(address, YarnConfiguration.DEFAULT_RM_ADDRESS, YarnConfiguration.DEFAULT_RM_PORT);
    }
}
