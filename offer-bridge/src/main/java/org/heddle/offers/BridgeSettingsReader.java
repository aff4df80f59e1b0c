// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.heddle.offers.BridgeSettings.Access;
import org.heddle.offers.BridgeSettings.Standby;
import org.heddle.offers.http.Credentials;
import org.heddle.offers.http.Tls;
import org.heddle.offers.master.state.MasterSettings;
import org.heddle.offers.model.Resources;
import org.heddle.offers.yarn.YarnSettings;
import org.heddle.settings.ConfigKey;
import org.heddle.settings.LayeredSettings;
import org.jspecify.annotations.Nullable;

/** Reads and checks the bridge's settings as a whole. */
public final class BridgeSettingsReader {
    private static final int KIB = 1024;

    private final LayeredSettings settings;

    private BridgeSettingsReader(LayeredSettings settings) {
        this.settings = settings;
    }

    /**
     * The settings in site files alone.
     *
     * @throws IllegalArgumentException one sentence: the key, its value, what is valid
     */
    public static BridgeSettings read(Configuration conf) {
        return read(
                LayeredSettings.builder(BridgeKeys.PREFIX, BridgeKeys.ALL)
                        .values("in a site file", siteFile(conf))
                        .build(),
                conf);
    }

    /**
     * The settings in all layers.
     *
     * @param conf the cluster's configuration, which limits some of the values
     * @throws IllegalArgumentException one sentence: the key, its value, where it is set, what is valid
     */
    static BridgeSettings read(LayeredSettings settings, Configuration conf) {
        settings.refuseUnknown();
        return new BridgeSettingsReader(settings).all(conf);
    }

    /** The bridge's keys in Hadoop's configuration, as a layer. */
    static Map<String, String> siteFile(Configuration conf) {
        Map<String, String> values = new TreeMap<>();
        conf.forEach(entry -> {
            if (entry.getKey().startsWith(BridgeKeys.PREFIX)) {
                values.put(entry.getKey(), conf.get(entry.getKey(), ""));
            }
        });
        return values;
    }

    private BridgeSettings all(Configuration conf) {
        long offer = settings.get(BridgeKeys.OFFER_TIMEOUT);
        long expiry = conf.getLong(
                YarnConfiguration.RM_CONTAINER_ALLOC_EXPIRY_INTERVAL_MS,
                YarnConfiguration.DEFAULT_RM_CONTAINER_ALLOC_EXPIRY_INTERVAL_MS);
        if (offer > expiry * 8 / 10) {
            throw wrong(
                    BridgeKeys.OFFER_TIMEOUT,
                    "YARN takes unused containers back after " + expiry + " ms; must be at most 80 % of that");
        }
        Access access = access();
        return new BridgeSettings(
                address(BridgeKeys.HTTP, access),
                address(BridgeKeys.AGENTS, access),
                settings.get(BridgeKeys.HOSTNAME),
                settings.get(BridgeKeys.AGENT_ADDRESSES),
                Path.of(settings.get(BridgeKeys.STATE)),
                settings.get(BridgeKeys.MAX_REQUEST) * KIB,
                access,
                standby(),
                master(offer),
                yarn());
    }

    private MasterSettings master(long offerMillis) {
        return new MasterSettings(
                settings.get(BridgeKeys.HEARTBEAT),
                offerMillis,
                settings.get(BridgeKeys.AGENT_START),
                settings.get(BridgeKeys.REREGISTER),
                settings.get(BridgeKeys.UPDATE_RETRY),
                settings.get(BridgeKeys.MAX_FRAMEWORKS),
                Resources.of((long) (settings.get(BridgeKeys.MIN_CPUS) * 1000), settings.get(BridgeKeys.MIN_MEM)),
                settings.get(BridgeKeys.AGENT_MEM),
                settings.get(BridgeKeys.DISK),
                settings.get(BridgeKeys.PORTS),
                settings.get(BridgeKeys.PORTS_PER_OFFER),
                settings.get(BridgeKeys.SHORT_FRACTION),
                settings.get(BridgeKeys.SHORT_DURATION),
                settings.get(BridgeKeys.LEASE),
                settings.get(BridgeKeys.QUEUE_SHARES).equals("equal"));
    }

    private YarnSettings yarn() {
        return new YarnSettings(
                settings.get(BridgeKeys.QUEUES),
                settings.get(BridgeKeys.QUEUE_FALLBACK),
                settings.get(BridgeKeys.STAGING),
                "",
                "",
                settings.get(BridgeKeys.PROXY_USERS),
                settings.get(BridgeKeys.EXECUTOR_TOKENS),
                settings.get(BridgeKeys.AGENT_HEAP),
                settings.get(BridgeKeys.ORPHAN),
                settings.get(BridgeKeys.AGENT_LIMITS),
                settings.get(BridgeKeys.AM_HEARTBEAT_BUSY),
                settings.get(BridgeKeys.AM_HEARTBEAT_IDLE),
                settings.get(BridgeKeys.GRACE),
                Duration.ofSeconds(2));
    }

    private Access access() {
        String credentials = settings.get(BridgeKeys.CREDENTIALS);
        String keyStore = settings.get(BridgeKeys.KEY_STORE);
        String password = settings.get(BridgeKeys.KEY_PASSWORD);
        if (keyStore.isEmpty() != password.isEmpty()) {
            throw new IllegalArgumentException(BridgeKeys.KEY_STORE.name() + " and " + BridgeKeys.KEY_PASSWORD.name()
                    + " go together: set both or neither");
        }
        try {
            return new Access(
                    credentials.isEmpty() ? null : Credentials.read(Path.of(credentials)),
                    keyStore.isEmpty() ? null : Tls.read(Path.of(keyStore), Path.of(password)),
                    settings.get(BridgeKeys.CONNECTIONS));
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private @Nullable Standby standby() {
        String servers = settings.get(BridgeKeys.ZOOKEEPER);
        String path = settings.get(BridgeKeys.HA_PATH);
        return servers.isEmpty() ? null : new Standby(servers, path, settings.get(BridgeKeys.HA_SESSION));
    }

    /** Frameworks start commands through the bridge: from other machines only those that are authenticated. */
    private InetSocketAddress address(ConfigKey<InetSocketAddress> key, Access access) {
        InetSocketAddress address = settings.get(key);
        boolean safe = access.credentials() != null && access.tls() != null;
        if (!address.getAddress().isLoopbackAddress() && !safe) {
            throw wrong(
                    key,
                    "the bridge starts commands of every client that reaches it, so an address that others reach needs "
                            + BridgeKeys.CREDENTIALS.name() + " and " + BridgeKeys.KEY_STORE.name()
                            + " (authentication and TLS); without them it listens on loopback addresses only");
        }
        return address;
    }

    private IllegalArgumentException wrong(ConfigKey<?> key, String why) {
        String text = settings.text(key.name());
        return new IllegalArgumentException(
                key.name() + " = " + (text == null ? key.fallback() : text) + ": " + why + settings.origin(key.name()));
    }
}
