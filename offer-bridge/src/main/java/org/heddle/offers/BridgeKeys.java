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
import org.heddle.offers.master.Limits;
import org.heddle.offers.model.Bundle;
import org.heddle.offers.model.PortRange;
import org.heddle.offers.yarn.YarnSettings;

/** The bridge's configuration keys: each is defined here, with its default, what is valid and what it does. */
public final class BridgeKeys {
    /** One key. */
    public record Key(String name, String fallback, String doc) {}

    private static final String PREFIX = "heddle.bridge.";
    private static final List<Key> KEYS = new ArrayList<>();

    static final Key HTTP = key("http.address", "127.0.0.1:5050", "Where frameworks connect. Loopback only.");
    static final Key AGENTS = key(
            "agent.address",
            "127.0.0.1:5055",
            "Where agents connect. Loopback only. Keep it over restarts: agents come back to it.");
    static final Key STATE =
            key("state.dir", "heddle-bridge-state", "Directory of the write-ahead log, on a local disk.");
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
    static final Key IDLE = key("allocate.idle", "5s", "Between heartbeats to YARN otherwise.");
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
        Limits limits = new Limits(
                millis(conf, HEARTBEAT),
                offer,
                millis(conf, AGENT_START),
                millis(conf, RETURN),
                millis(conf, UPDATE_RETRY),
                number(conf, MAX_FRAMEWORKS, 1, 100_000),
                Bundle.of(
                        (long) (parse(conf, MIN_CPUS, "a number >= 0", Double::parseDouble) * 1000),
                        number(conf, MIN_MEM, 1, 1 << 30)),
                number(conf, AGENT_MEM, 16, 4096),
                number(conf, DISK, 0, 1 << 30),
                parse(conf, PORTS, "first-last", BridgeKeys::range),
                number(conf, PORTS_PER_OFFER, 0, 10_000));
        String limitsMode = text(conf, AGENT_LIMITS);
        if (!Set.of("auto", "off").contains(limitsMode)) {
            throw new IllegalArgumentException(AGENT_LIMITS.name() + " = '" + limitsMode + "': want auto or off");
        }
        YarnSettings yarn = new YarnSettings(
                parse(conf, QUEUES, "role=queue, separated by commas", BridgeKeys::queues),
                text(conf, QUEUE_FALLBACK),
                text(conf, STAGING),
                "",
                number(conf, AGENT_HEAP, 8, 4096),
                millis(conf, ORPHAN),
                limitsMode,
                millis(conf, BUSY),
                millis(conf, IDLE),
                millis(conf, GRACE),
                Duration.ofSeconds(2));
        return new BridgeSettings(
                loopback(conf, HTTP),
                loopback(conf, AGENTS),
                Path.of(text(conf, STATE)),
                number(conf, MAX_BODY, 16, 1 << 20) * 1024,
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
    private static InetSocketAddress loopback(Configuration conf, Key key) {
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
        if (!address.getAddress().isLoopbackAddress()) {
            throw new IllegalArgumentException(key.name() + " = " + text
                    + ": this bridge has no authentication and TLS yet and starts commands for whoever reaches it, so it"
                    + " listens on loopback addresses only; put an authenticating TLS proxy in front");
        }
        return address;
    }
}
