// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.HadoopKerberosName;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.heddle.offers.BridgeSettings.Access;
import org.heddle.offers.BridgeSettings.Kerberos;
import org.heddle.offers.BridgeSettings.Standby;
import org.heddle.offers.http.Credentials;
import org.heddle.offers.http.Spnego;
import org.heddle.offers.http.Tls;
import org.heddle.offers.master.state.MasterSettings;
import org.heddle.offers.model.Resources;
import org.heddle.offers.yarn.AgentReach;
import org.heddle.offers.yarn.YarnSettings;
import org.heddle.settings.ConfigKey;
import org.heddle.settings.LayeredSettings;
import org.jspecify.annotations.Nullable;

/** Reads and checks the bridge's settings as a whole. */
public final class BridgeSettingsReader {
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
                http(access),
                agents(conf),
                settings.get(BridgeKeys.HOSTNAME),
                settings.get(BridgeKeys.AGENT_ADDRESSES),
                settings.get(BridgeKeys.STATE),
                access,
                kerberos(),
                standby(),
                master(offer),
                yarn());
    }

    private MasterSettings master(long offerMillis) {
        return new MasterSettings(
                MasterSettings.Times.USUAL,
                offerMillis,
                Resources.of((long) (settings.get(BridgeKeys.MIN_CPUS) * 1000), settings.get(BridgeKeys.MIN_MEM)),
                settings.get(BridgeKeys.DISK),
                settings.get(BridgeKeys.PORTS),
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
                settings.get(BridgeKeys.AGENT_LIMITS),
                settings.get(BridgeKeys.GRACE),
                settings.get(BridgeKeys.TOKEN_FILE_SYSTEMS),
                YarnSettings.Times.USUAL);
    }

    private Access access() {
        String credentials = settings.get(BridgeKeys.CREDENTIALS);
        String keyStore = settings.get(BridgeKeys.KEY_STORE);
        String password = settings.get(BridgeKeys.KEY_PASSWORD);
        together(BridgeKeys.KEY_STORE, BridgeKeys.KEY_PASSWORD);
        try {
            Credentials known = credentials.isEmpty() ? null : Credentials.read(Path.of(credentials));
            Spnego tickets = spnego();
            if (tickets != null) {
                known = known == null ? Credentials.ofTickets(tickets) : known.withTickets(tickets);
            }
            return new Access(known, keyStore.isEmpty() ? null : Tls.read(Path.of(keyStore), Path.of(password)));
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private Kerberos kerberos() {
        together(BridgeKeys.KERBEROS_PRINCIPAL, BridgeKeys.KERBEROS_KEYTAB);
        String keytab = settings.get(BridgeKeys.KERBEROS_KEYTAB);
        try {
            String principal = principal(BridgeKeys.KERBEROS_PRINCIPAL, "", BridgeKeys.KERBEROS_KEYTAB, keytab);
            return new Kerberos(principal, keytab);
        } catch (IOException e) {
            throw new IllegalArgumentException(BridgeKeys.KERBEROS_PRINCIPAL.name() + ": " + e.getMessage(), e);
        }
    }

    /** A principal with its host, whose key is in the keytab; empty if none is set. */
    private String principal(ConfigKey<String> setting, String host, ConfigKey<String> keytabSetting, String keytab)
            throws IOException {
        String configured = settings.get(setting);
        if (configured.isEmpty()) {
            return "";
        }
        String name = SecurityUtil.getServerPrincipal(
                configured, host.isEmpty() ? InetAddress.getLocalHost().getCanonicalHostName() : host);
        KeytabFile.check(keytabSetting, keytab, setting, name);
        return name;
    }

    private @Nullable Spnego spnego() throws IOException {
        together(BridgeKeys.SPNEGO_PRINCIPAL, BridgeKeys.SPNEGO_KEYTAB);
        String keytab = settings.get(BridgeKeys.SPNEGO_KEYTAB);
        String host = settings.get(BridgeKeys.HOSTNAME);
        String name = principal(BridgeKeys.SPNEGO_PRINCIPAL, host, BridgeKeys.SPNEGO_KEYTAB, keytab);
        return name.isEmpty() ? null : Spnego.open(name, Path.of(keytab), BridgeSettingsReader::shortName);
    }

    /** By the cluster's rules (hadoop.security.auth_to_local); null if no rule applies. */
    private static @Nullable String shortName(String principal) {
        try {
            return new HadoopKerberosName(principal).getShortName();
        } catch (IOException | IllegalArgumentException e) {
            return null;
        }
    }

    private void together(ConfigKey<String> one, ConfigKey<String> other) {
        if (settings.get(one).isEmpty() != settings.get(other).isEmpty()) {
            throw new IllegalArgumentException(
                    one.name() + " and " + other.name() + " go together: set both or neither");
        }
    }

    private @Nullable Standby standby() {
        String servers = settings.get(BridgeKeys.ZOOKEEPER);
        String path = settings.get(BridgeKeys.HA_PATH);
        return servers.isEmpty() ? null : new Standby(servers, path, settings.get(BridgeKeys.HA_SESSION));
    }

    /** Frameworks start commands through the bridge, so from other machines only authenticated ones may connect. */
    private InetSocketAddress http(Access access) {
        InetSocketAddress address = settings.get(BridgeKeys.HTTP);
        boolean plain = settings.get(BridgeKeys.PLAIN);
        if (plain && access.tls() != null) {
            throw wrong(BridgeKeys.PLAIN, "it contradicts " + BridgeKeys.KEY_STORE.name() + ": set one of them");
        }
        if (address.getAddress().isLoopbackAddress()) {
            return address;
        }
        if (access.credentials() == null) {
            throw wrong(
                    BridgeKeys.HTTP,
                    "the bridge starts commands of every client that reaches it, so an address that others reach needs "
                            + BridgeKeys.CREDENTIALS.name() + " or " + BridgeKeys.SPNEGO_PRINCIPAL.name()
                            + " (authentication); without it the bridge listens on loopback addresses only");
        }
        if (access.tls() == null && !plain) {
            throw wrong(
                    BridgeKeys.HTTP,
                    "others could read the secrets of principals on the network: set " + BridgeKeys.KEY_STORE.name()
                            + " (TLS), or " + BridgeKeys.PLAIN.name() + "=true for clients that do not support TLS");
        }
        return address;
    }

    private InetSocketAddress agents(Configuration conf) {
        InetSocketAddress address = settings.get(BridgeKeys.AGENTS);
        if (!address.isUnresolved()) {
            return address;
        }
        try {
            return new InetSocketAddress(AgentReach.towardsResourceManager(conf), address.getPort());
        } catch (IOException e) {
            throw wrong(BridgeKeys.AGENTS, e.getMessage() + "; set an address of this machine that the nodes reach");
        }
    }

    private IllegalArgumentException wrong(ConfigKey<?> key, String why) {
        String text = settings.text(key.name());
        return new IllegalArgumentException(
                key.name() + " = " + (text == null ? key.fallback() : text) + ": " + why + settings.origin(key.name()));
    }
}
