// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.heddle.offers.BridgeSettings.Access;
import org.heddle.offers.BridgeSettings.Standby;
import org.heddle.offers.http.Credentials;
import org.heddle.offers.http.Tls;
import org.heddle.offers.master.state.MasterSettings;
import org.heddle.offers.model.PortRange;
import org.heddle.offers.model.Resources;
import org.heddle.offers.yarn.YarnSettings;
import org.jspecify.annotations.Nullable;

/** The bridge's configuration keys: each is defined here, with its default, what is valid and what it does. */
public final class BridgeKeys {
    /** One key. */
    public record Key(String name, String fallback, String doc) {}

    private static final String PREFIX = "heddle.bridge.";
    private static final List<Key> KEYS = new ArrayList<>();

    static final Key HTTP = key(
            "http.address",
            "127.0.0.1:5050",
            "Where frameworks connect. Any address but loopback needs auth.file and tls.keystore.");
    static final Key AGENTS = key(
            "agent.address",
            "127.0.0.1:5055",
            "Where agents connect; they must be able to reach it from every node. Any address but loopback needs"
                    + " tls.keystore and auth.file. Keep it over restarts: agents come back to it.");
    static final Key CREDENTIALS = key(
            "auth.file",
            "",
            "Principals, hashes of their secrets and the users they may run as; a line of it: heddle-bridge"
                    + " --add-principal. With it every call needs HTTP Basic authentication.");
    static final Key KEY_STORE =
            key("tls.keystore", "", "PKCS12 file with the bridge's key and certificate. With it both ports speak TLS.");
    static final Key KEY_PASSWORD = key("tls.password.file", "", "File with the password of that key store.");
    static final Key PROXY_USERS = key(
            "users.proxy",
            "false",
            "true: YARN applications are submitted as the frameworks' users; the cluster must list the bridge's user in"
                    + " hadoop.proxyuser.");
    static final Key EXECUTOR_TOKENS = key(
            "executor.tokens",
            "false",
            "true: executors must send the token in MESOS_EXECUTOR_AUTHENTICATION_TOKEN, as Mesos' own libraries do;"
                    + " others on the node cannot speak for them then.");
    static final Key CONNECTIONS =
            key("max.connections", "10000", "Most connections of frameworks and operators at once.");
    static final Key HOSTNAME = key(
            "hostname",
            "",
            "How frameworks and agents reach this machine: told to them, and in redirects. Empty: the host of"
                    + " http.address, or this machine's name if that is all addresses.");
    static final Key AGENT_ADDRESSES = key(
            "agent.addresses",
            "",
            "With standbys: the agent.address of each bridge as nodes reach it, host:port, separated by commas; the"
                    + " same for all bridges.");
    static final Key ZOOKEEPER = key(
            "ha.zookeeper",
            "",
            "host:port of ZooKeeper servers, separated by commas. With it the bridge stands by until it is elected; all"
                    + " bridges of a group need the same state.dir on storage that they share and that can be locked.");
    static final Key HA_PATH = key("ha.path", "/heddle-bridge", "Where in ZooKeeper; the same for all of a group.");
    static final Key HA_SESSION = key(
            "ha.session.timeout",
            "2s",
            "A leader that ZooKeeper has not heard of for so long is replaced; servers allow no less than twice their"
                    + " tick.");
    static final Key STATE = key(
            "state.dir",
            "heddle-bridge-state",
            "Directory of the write-ahead log: on a local disk; with ha.zookeeper on storage that all bridges of the group"
                    + " share and whose locks work.");
    static final Key STAGING = key(
            "staging.dir",
            "/tmp/heddle-bridge",
            "Where in the cluster's file system the agent's jar is put; every node must be able to read it.");
    static final Key QUEUES = key(
            "queues",
            "*=root.default",
            "Queues of roles, as role=queue, separated by commas. * is the role of frameworks that name none.");
    static final Key QUEUE_FALLBACK =
            key("queue.other", "root.%r", "Queue of every other role; %r stands for the role's name.");
    static final Key OFFER_TIMEOUT = key(
            "offer.timeout",
            "60s",
            "An offer that is not answered is rescinded after this. At most 80 % of"
                    + " yarn.resourcemanager.rm.container-allocation.expiry-interval-ms.");
    static final Key MIN_CPUS = key("offer.min.cpus", "0.1", "Smallest offer: CPUs.");
    static final Key MIN_MEM = key("offer.min.memory-mb", "64", "Smallest offer: memory, MiB.");
    static final Key DISK = key("offer.disk-mb", "1024", "Disk that each offer lends, MiB; YARN does not schedule it.");
    static final Key PORTS =
            key("ports", "31000-32000", "Ports that are lent on each host; YARN does not schedule them.");
    static final Key PORTS_PER_OFFER = key("ports.per.offer", "10", "How many of them come with one offer.");
    static final Key SHORT_PART = key(
            "offer.short.part",
            "0",
            "Part of each node, 0 to 0.9, that is offered only for tasks with a max_completion_time; such offers have"
                    + " the attribute max_completion_secs.");
    static final Key SHORT_TIME =
            key("offer.short.time", "10m", "The longest max_completion_time that counts as short.");
    static final Key LEASE = key(
            "container.lease",
            "60s",
            "A container that a framework has had for so long goes back between tasks if the cluster has no room for"
                    + " others: so the cluster's scheduler decides who is next.");
    static final Key HEARTBEAT = key("heartbeat", "15s", "Between heartbeats on event streams.");
    static final Key MAX_FRAMEWORKS = key("max.frameworks", "1000", "Most frameworks at once.");
    static final Key MAX_BODY = key("max.body-kb", "4096", "Largest request, KiB.");
    static final Key AGENT_MEM =
            key("agent.memory-mb", "64", "Memory of each container that its agent needs, MiB; offers show the rest.");
    static final Key AGENT_HEAP = key("agent.heap-mb", "16", "Heap of an agent, MiB.");
    static final Key AGENT_LIMITS =
            key("agent.limits", "auto", "auto: a cgroup for each task where the agent may make one; off: never.");
    static final Key AGENT_START =
            key("agent.start.timeout", "120s", "An agent that has not come by then is given up.");
    static final Key ORPHAN = key("agent.orphan.timeout", "10m", "How long agents and tasks live on without a bridge.");
    static final Key RETURN = key(
            "return.timeout",
            "2m",
            "After a restart of the bridge: agents, and frameworks without a longer failover timeout, have this long to"
                    + " come back.");
    static final Key UPDATE_RETRY =
            key("update.retry", "10s", "A status update that is not acknowledged is sent again after this.");
    static final Key BUSY = key("allocate.busy", "100ms", "Between heartbeats to YARN while something is asked for.");
    static final Key IDLE = key(
            "allocate.idle",
            "5s",
            "Between heartbeats to YARN otherwise; six times that for a framework that holds nothing and wants nothing.");
    static final Key GRACE = key(
            "preemption.grace", "15s", "How long the cluster's scheduler waits before it kills; told to frameworks.");

    private BridgeKeys() {}

    private static Key key(String name, String fallback, String doc) {
        Key key = new Key(PREFIX + name, fallback, doc);
        KEYS.add(key);
        return key;
    }

    /** All keys, in the order of their definition. */
    public static List<Key> all() {
        return List.copyOf(KEYS);
    }

    /**
     * Reads and checks a configuration as a whole.
     *
     * @throws IllegalArgumentException one sentence: the key, its value, what is valid
     */
    public static BridgeSettings read(Configuration conf) {
        refuseUnknown(conf);
        long offer = millis(conf, OFFER_TIMEOUT);
        long expiry = conf.getLong(
                YarnConfiguration.RM_CONTAINER_ALLOC_EXPIRY_INTERVAL_MS,
                YarnConfiguration.DEFAULT_RM_CONTAINER_ALLOC_EXPIRY_INTERVAL_MS);
        if (offer > expiry * 8 / 10) {
            throw new IllegalArgumentException(OFFER_TIMEOUT.name() + " = " + text(conf, OFFER_TIMEOUT)
                    + ": YARN takes unused containers back after " + expiry + " ms; want at most 80 % of that");
        }
        MasterSettings limits = new MasterSettings(
                millis(conf, HEARTBEAT),
                offer,
                millis(conf, AGENT_START),
                millis(conf, RETURN),
                millis(conf, UPDATE_RETRY),
                number(conf, MAX_FRAMEWORKS, 1, 100_000),
                Resources.of(
                        (long) (parse(conf, MIN_CPUS, "a number >= 0", Double::parseDouble) * 1000),
                        number(conf, MIN_MEM, 1, 1 << 30)),
                number(conf, AGENT_MEM, 16, 4096),
                number(conf, DISK, 0, 1 << 30),
                parse(conf, PORTS, "first-last", BridgeKeys::range),
                number(conf, PORTS_PER_OFFER, 0, 10_000),
                part(conf, SHORT_PART, 0.9),
                millis(conf, SHORT_TIME),
                millis(conf, LEASE));
        String limitsMode = text(conf, AGENT_LIMITS);
        if (!Set.of("auto", "off").contains(limitsMode)) {
            throw new IllegalArgumentException(AGENT_LIMITS.name() + " = '" + limitsMode + "': want auto or off");
        }
        YarnSettings yarn = new YarnSettings(
                parse(conf, QUEUES, "role=queue, separated by commas", BridgeKeys::queues),
                text(conf, QUEUE_FALLBACK),
                text(conf, STAGING),
                "",
                "",
                flag(conf, PROXY_USERS),
                flag(conf, EXECUTOR_TOKENS),
                number(conf, AGENT_HEAP, 8, 4096),
                millis(conf, ORPHAN),
                limitsMode,
                millis(conf, BUSY),
                millis(conf, IDLE),
                millis(conf, GRACE),
                Duration.ofSeconds(2));
        Access access = access(conf);
        return new BridgeSettings(
                address(conf, HTTP, access),
                address(conf, AGENTS, access),
                text(conf, HOSTNAME),
                text(conf, AGENT_ADDRESSES),
                Path.of(text(conf, STATE)),
                number(conf, MAX_BODY, 16, 1 << 20) * 1024,
                access,
                standby(conf),
                limits,
                yarn);
    }

    private static void refuseUnknown(Configuration conf) {
        Set<String> unknown = new TreeSet<>();
        Set<String> known = new TreeSet<>();
        KEYS.forEach(key -> known.add(key.name()));
        conf.forEach(entry -> {
            if (entry.getKey().startsWith(PREFIX) && !known.contains(entry.getKey())) {
                unknown.add(entry.getKey());
            }
        });
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(unknown + ": no such keys; the bridge knows " + known);
        }
    }

    private static String text(Configuration conf, Key key) {
        String value = conf.getTrimmed(key.name(), key.fallback());
        return value.isEmpty() ? key.fallback() : value;
    }

    private static <T> T parse(Configuration conf, Key key, String valid, Function<String, T> parser) {
        String text = text(conf, key);
        try {
            return parser.apply(text);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    key.name() + " = '" + text + "': want " + valid + " (default " + key.fallback() + ")", e);
        }
    }

    private static int number(Configuration conf, Key key, int least, int most) {
        String valid = "a whole number from " + least + " to " + most;
        return parse(conf, key, valid, text -> {
            int value = Integer.parseInt(text);
            if (value < least || value > most) {
                throw new IllegalArgumentException(valid);
            }
            return value;
        });
    }

    private static Access access(Configuration conf) {
        String credentials = text(conf, CREDENTIALS);
        String keyStore = text(conf, KEY_STORE);
        String password = text(conf, KEY_PASSWORD);
        if (keyStore.isEmpty() != password.isEmpty()) {
            throw new IllegalArgumentException(
                    KEY_STORE.name() + " and " + KEY_PASSWORD.name() + " go together: set both or neither");
        }
        try {
            return new Access(
                    credentials.isEmpty() ? null : Credentials.read(Path.of(credentials)),
                    keyStore.isEmpty() ? null : Tls.read(Path.of(keyStore), Path.of(password)),
                    number(conf, CONNECTIONS, 10, 1_000_000));
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static @Nullable Standby standby(Configuration conf) {
        String servers = text(conf, ZOOKEEPER);
        String path = text(conf, HA_PATH);
        if (!path.matches("(/[A-Za-z0-9_.-]+)+")) {
            throw new IllegalArgumentException(
                    HA_PATH.name() + " = '" + path + "': want a path such as /heddle-bridge");
        }
        return servers.isEmpty() ? null : new Standby(servers, path, millis(conf, HA_SESSION));
    }

    private static boolean flag(Configuration conf, Key key) {
        return parse(conf, key, "true or false", text -> {
            if (!Set.of("true", "false").contains(text)) {
                throw new IllegalArgumentException(text);
            }
            return Boolean.valueOf(text);
        });
    }

    private static double part(Configuration conf, Key key, double most) {
        String valid = "a number from 0 to " + most;
        return parse(conf, key, valid, text -> {
            double value = Double.parseDouble(text);
            if (!(value >= 0 && value <= most)) {
                throw new IllegalArgumentException(valid);
            }
            return value;
        });
    }

    private static long millis(Configuration conf, Key key) {
        return parse(conf, key, "a time such as 500ms, 15s, 10m or 2h", text -> {
            String unit = text.replaceAll("^[0-9]+", "").toLowerCase(Locale.ROOT);
            long value = Long.parseLong(text.substring(0, text.length() - unit.length()));
            return switch (unit) {
                case "ms" -> value;
                case "s" -> Duration.ofSeconds(value).toMillis();
                case "m" -> Duration.ofMinutes(value).toMillis();
                case "h" -> Duration.ofHours(value).toMillis();
                default -> throw new IllegalArgumentException(unit);
            };
        });
    }

    private static PortRange range(String text) {
        String[] ends = text.split("-", 2);
        return new PortRange(Integer.parseInt(ends[0].trim()), Integer.parseInt(ends[1].trim()));
    }

    private static Map<String, String> queues(String text) {
        Map<String, String> queues = new TreeMap<>();
        for (String pair : text.split(",", -1)) {
            String[] sides = pair.split("=", 2);
            queues.put(sides[0].trim(), sides[1].trim());
        }
        return queues;
    }

    /** The bridge starts commands for whoever reaches it: nobody from outside does before they must prove who they are. */
    private static InetSocketAddress address(Configuration conf, Key key, Access access) {
        String text = text(conf, key);
        InetSocketAddress address = parse(conf, key, "host:port", value -> {
            int colon = value.lastIndexOf(':');
            int port = Integer.parseInt(value.substring(colon + 1));
            try {
                return new InetSocketAddress(InetAddress.getAllByName(value.substring(0, colon))[0], port);
            } catch (IOException e) {
                throw new IllegalArgumentException(e);
            }
        });
        boolean safe = access.credentials() != null && access.tls() != null;
        if (!address.getAddress().isLoopbackAddress() && !safe) {
            throw new IllegalArgumentException(key.name() + " = " + text
                    + ": the bridge starts commands for whoever reaches it, so an address that others reach needs "
                    + CREDENTIALS.name() + " and " + KEY_STORE.name() + " (authentication and TLS); without them it"
                    + " listens on loopback addresses only");
        }
        return address;
    }
}
