// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.heddle.offers.model.PortRange;
import org.heddle.settings.ConfigKey;
import org.heddle.settings.ValueKind;

/**
 * The bridge's configuration keys: each is defined here, with its default, what is valid and what it does. This class
 * does not mention Hadoop, so that the keys can be printed where there is none.
 */
public final class BridgeKeys {
    /** Prefix of all keys of the bridge. */
    public static final String PREFIX = "heddle.bridge.";

    /** Host of {@link #AGENTS} which stands for the address from which this machine reaches the ResourceManager. */
    static final String AUTO = "auto";

    private static final List<ConfigKey<?>> DEFINED = new ArrayList<>();

    /** All keys, in the order of the documentation. */
    public static final List<ConfigKey<?>> ALL = Collections.unmodifiableList(DEFINED);

    private static final ValueKind<InetSocketAddress> ADDRESS = new ValueKind<>("host:port", BridgeKeys::address);

    public static final ConfigKey<InetSocketAddress> HTTP = key(
            "http.address",
            ADDRESS,
            "127.0.0.1:5050",
            "Address for frameworks. Any address except loopback needs auth.file or spnego.principal, and tls.keystore or"
                    + " http.plain=true.");

    public static final ConfigKey<Boolean> PLAIN = key(
            "http.plain",
            ValueKind.TRUE_OR_FALSE,
            "false",
            "Whether http.address may be any address without TLS, for clients that do not support it. Then everyone who can"
                    + " read the network's traffic can read the secrets of principals and start commands as their users.");

    public static final ConfigKey<InetSocketAddress> AGENTS = key(
            "agent.address",
            new ValueKind<>("host:port or auto:port", BridgeKeys::agentAddress),
            AUTO + ":5055",
            "Address for agents, which connect to it from every node. auto: the address of this machine from which it reaches"
                    + " the ResourceManager. Any address except loopback uses TLS, with a key that the bridge makes in"
                    + " state.dir. Keep the address and that key over restarts: running agents connect to the same address"
                    + " again, and accept no other key.");

    public static final ConfigKey<String> CREDENTIALS = key(
            "auth.file",
            ValueKind.TEXT,
            "",
            "File with principals, the hashes of their secrets and the users that they may run as. heddle bridge"
                    + " --add-principal prints a line for it. With this file every call needs HTTP Basic authentication.");

    public static final ConfigKey<String> KEY_STORE = key(
            "tls.keystore",
            ValueKind.TEXT,
            "",
            "PKCS12 file with the bridge's key and certificate. With it http.address uses TLS.");

    public static final ConfigKey<String> KEY_PASSWORD =
            key("tls.password.file", ValueKind.TEXT, "", "File with the password of that key store.");

    public static final ConfigKey<String> KERBEROS_PRINCIPAL = key(
            "kerberos.principal",
            ValueKind.TEXT,
            "",
            "Principal of the bridge in a cluster with Kerberos, such as bridge/_HOST@EXAMPLE.ORG; _HOST is replaced by the name"
                    + " of this machine. It needs kerberos.keytab. Without both the bridge uses the ticket of the user that"
                    + " starts it, and stops working when that ends.");

    public static final ConfigKey<String> KERBEROS_KEYTAB = key(
            "kerberos.keytab",
            ValueKind.TEXT,
            "",
            "File with the key of kerberos.principal. The bridge gets new tickets with it.");

    public static final ConfigKey<List<String>> TOKEN_FILE_SYSTEMS = key(
            "kerberos.access.file-systems",
            new ValueKind<>("URIs of file systems, separated by commas", BridgeKeys::fileSystems),
            "",
            "File systems of Hadoop, such as hdfs://other:8020, for which containers get delegation tokens in a cluster with"
                    + " Kerberos. The default file system and that of staging.dir need not be listed.");

    public static final ConfigKey<String> SPNEGO_PRINCIPAL = key(
            "spnego.principal",
            ValueKind.TEXT,
            "",
            "Principal for browsers and tools that authenticate with Kerberos tickets (SPNEGO), such as HTTP/_HOST@EXAMPLE.ORG."
                    + " _HOST is replaced by heddle.bridge.hostname, or by the name of this machine. With it every call needs"
                    + " authentication.");

    public static final ConfigKey<String> SPNEGO_KEYTAB =
            key("spnego.keytab", ValueKind.TEXT, "", "File with the key of spnego.principal.");

    public static final ConfigKey<Boolean> PROXY_USERS = key(
            "users.proxy",
            ValueKind.TRUE_OR_FALSE,
            "false",
            "Whether YARN applications are submitted as the users of the frameworks. The cluster must list the bridge's user in"
                    + " hadoop.proxyuser.");

    public static final ConfigKey<Boolean> EXECUTOR_TOKENS = key(
            "executor.tokens",
            ValueKind.TRUE_OR_FALSE,
            "false",
            "Whether executors must send the token in MESOS_EXECUTOR_AUTHENTICATION_TOKEN, as Mesos' own libraries do. Without"
                    + " it other processes on the node can send messages in the name of an executor.");

    public static final ConfigKey<String> HOSTNAME = key(
            "hostname",
            ValueKind.TEXT,
            "",
            "Host name that frameworks use for this machine; redirects contain it. Agents use it too if agent.address is all"
                    + " addresses. Empty: the host of http.address, or the name of this machine if that is all addresses.");

    public static final ConfigKey<String> AGENT_ADDRESSES = key(
            "agent.addresses",
            ValueKind.TEXT,
            "",
            "With standby bridges: the agent.address of each bridge as the nodes reach it, host:port, separated by commas. The"
                    + " value is the same for all bridges.");

    public static final ConfigKey<String> ZOOKEEPER = key(
            "ha.zookeeper",
            ValueKind.TEXT,
            "",
            "host:port of ZooKeeper servers, separated by commas. With it the bridge is a standby until it is elected leader. All"
                    + " bridges of a group need the same state.dir, in HDFS or on shared storage with locks.");

    public static final ConfigKey<String> HA_PATH = key(
            "ha.path",
            new ValueKind<>("a path such as /heddle-bridge", text -> {
                require(text.matches("(/[A-Za-z0-9_.-]+)+"));
                return text;
            }),
            "/heddle-bridge",
            "Path of the election in ZooKeeper; the same for all bridges of a group.");

    public static final ConfigKey<Long> HA_SESSION = key(
            "ha.session.timeout",
            ValueKind.DURATION_MILLIS,
            "2s",
            "ZooKeeper session timeout: a leader without contact for this time is replaced. ZooKeeper servers allow at least twice"
                    + " their tick.");

    public static final ConfigKey<String> STATE = key(
            "state.dir",
            ValueKind.TEXT,
            "heddle-bridge-state",
            "Directory of the write-ahead log: a path on a local disk, or hdfs://NAMENODE/PATH. With ha.zookeeper it is in HDFS,"
                    + " or on storage that all bridges of the group share and that has working locks.");

    public static final ConfigKey<String> STAGING = key(
            "staging.dir",
            ValueKind.TEXT,
            "/tmp/heddle-bridge",
            "Directory in the cluster's file system for the agent's jar. Every node must be able to read it.");

    public static final ConfigKey<Map<String, String>> QUEUES = key(
            "queues",
            new ValueKind<>("role=queue, separated by commas", BridgeKeys::queues),
            "*=root.default",
            "Queues of roles, as role=queue, separated by commas. * is the role of frameworks without a role.");

    public static final ConfigKey<String> QUEUE_FALLBACK = key(
            "queue.other",
            ValueKind.TEXT,
            "root.%r",
            "Queue of all other roles; %r is replaced by the name of the role. If YARN has no such queue and does not create"
                    + " it, the queue of * is used.");

    public static final ConfigKey<String> QUEUE_SHARES = key(
            "queue.shares",
            new ValueKind<>("equal or scheduler", text -> {
                require(text.equals("equal") || text.equals("scheduler"));
                return text;
            }),
            "equal",
            "equal: frameworks in the same queue have equal shares, and users before them: a framework does not ask for"
                    + " containers while another one of the queue waits and has less. scheduler: the order of the queue"
                    + " alone decides, which is first come, first served by default in CapacityScheduler.");

    public static final ConfigKey<Long> OFFER_TIMEOUT = key(
            "offer.timeout",
            ValueKind.DURATION_MILLIS,
            "60s",
            "Time after which an unanswered offer is rescinded. At most 80 % of"
                    + " yarn.resourcemanager.rm.container-allocation.expiry-interval-ms.");

    public static final ConfigKey<Double> MIN_CPUS = key(
            "offer.min.cpus",
            new ValueKind<>("a number >= 0", text -> {
                double cpus = Double.parseDouble(text);
                require(cpus >= 0);
                return cpus;
            }),
            "0.1",
            "CPUs of the smallest offer.");

    public static final ConfigKey<Integer> MIN_MEM =
            key("offer.min.memory-mb", ValueKind.size("Mi", 1, 1 << 30), "64", "Memory of the smallest offer, in MiB.");

    public static final ConfigKey<Integer> DISK = key(
            "offer.disk-mb",
            ValueKind.size("Mi", 0, 1 << 30),
            "1024",
            "Disk in each offer, in MiB. YARN does not schedule disk.");

    public static final ConfigKey<PortRange> PORTS = key(
            "ports",
            new ValueKind<>("first-last", BridgeKeys::range),
            "31000-32000",
            "Ports of each host that offers contain. YARN does not schedule ports.");

    public static final ConfigKey<Double> SHORT_FRACTION = key(
            "offer.short.fraction",
            ValueKind.number("0", "0.9"),
            "0",
            "Part of each node, from 0 to 0.9, that is offered only for tasks with a max_completion_time. These offers have the"
                    + " attribute max_completion_secs.");

    public static final ConfigKey<Long> SHORT_DURATION = key(
            "offer.short.max-duration",
            ValueKind.DURATION_MILLIS,
            "10m",
            "Maximum max_completion_time of a short task.");

    public static final ConfigKey<Long> LEASE = key(
            "container.lease",
            ValueKind.DURATION_MILLIS,
            "60s",
            "Longest time for which a framework keeps a container while other applications wait for resources; after it, the"
                    + " container is returned between tasks, and the cluster's scheduler decides which application is next."
                    + " It begins with 2 s when an application begins to wait, and doubles each time the scheduler gives the"
                    + " container back to the same framework.");

    public static final ConfigKey<String> AGENT_LIMITS = key(
            "agent.limits",
            new ValueKind<>("auto or off", text -> {
                require(text.equals("auto") || text.equals("off"));
                return text;
            }),
            "auto",
            "auto: each task has a cgroup, on nodes where the agent may create one. off: tasks have no cgroups.");

    public static final ConfigKey<Long> GRACE = key(
            "preemption.grace",
            ValueKind.DURATION_MILLIS,
            "15s",
            "Grace period of the cluster's scheduler between the warning and the end of a container; it is reported to"
                    + " frameworks.");

    private BridgeKeys() {}

    private static <T> ConfigKey<T> key(String name, ValueKind<T> kind, String fallback, String doc) {
        return add(new ConfigKey<>(PREFIX + name, kind, fallback, doc));
    }

    private static <T> ConfigKey<T> add(ConfigKey<T> key) {
        DEFINED.add(key);
        return key;
    }

    private static PortRange range(String text) {
        String[] ends = text.split("-", -1);
        require(ends.length == 2);
        return new PortRange(Integer.parseInt(ends[0].strip()), Integer.parseInt(ends[1].strip()));
    }

    private static Map<String, String> queues(String text) {
        Map<String, String> queues = new TreeMap<>();
        for (String pair : text.split(",", -1)) {
            String[] sides = pair.split("=", 2);
            require(sides.length == 2);
            queues.put(sides[0].strip(), sides[1].strip());
        }
        return queues;
    }

    private static List<String> fileSystems(String text) {
        List<String> uris = new ArrayList<>();
        for (String uri : text.split(",", -1)) {
            if (!uri.isBlank()) {
                require(URI.create(uri.strip()).getScheme() != null);
                uris.add(uri.strip());
            }
        }
        return uris;
    }

    private static InetSocketAddress agentAddress(String text) {
        if (text.startsWith(AUTO + ":")) {
            return InetSocketAddress.createUnresolved(AUTO, Integer.parseInt(text.substring(AUTO.length() + 1)));
        }
        return address(text);
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        require(colon >= 0);
        int port = Integer.parseInt(text.substring(colon + 1));
        try {
            return new InetSocketAddress(InetAddress.getAllByName(text.substring(0, colon))[0], port);
        } catch (IOException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static void require(boolean valid) {
        if (!valid) {
            throw new IllegalArgumentException();
        }
    }
}
