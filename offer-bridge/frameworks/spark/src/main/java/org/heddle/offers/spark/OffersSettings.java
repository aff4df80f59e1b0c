// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.apache.spark.SparkConf;
import org.heddle.offers.client.Bridges;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * The settings {@code spark.offers.*}. The README of this module describes them; a test compares it with {@link #KEYS}.
 */
final class OffersSettings {
    static final String PREFIX = "spark.offers.";
    static final String ROLE = PREFIX + "role";
    static final String PRINCIPAL = PREFIX + "principal";
    static final String SECRET = PREFIX + "secret";
    static final String SECRET_FILE = PREFIX + "secretFile";
    static final String TLS = PREFIX + "tls";
    static final String TRUST_STORE = PREFIX + "trustStore";
    static final String TRUST_STORE_PASSWORD = PREFIX + "trustStorePassword";
    static final String EXECUTOR_HOME = PREFIX + "executor.home";
    static final String URIS = PREFIX + "uris";
    static final String LOCALITY_WAIT = PREFIX + "localityWait";
    static final String REGISTRATION_TIMEOUT = PREFIX + "registrationTimeout";
    static final String FAILOVER_TIMEOUT = PREFIX + "failoverTimeout";
    static final String LOSS_REASON_TIMEOUT = PREFIX + "lossReasonTimeout";

    /** All of them. */
    static final List<String> KEYS = List.of(
            ROLE,
            PRINCIPAL,
            SECRET,
            SECRET_FILE,
            TLS,
            TRUST_STORE,
            TRUST_STORE_PASSWORD,
            EXECUTOR_HOME,
            URIS,
            LOCALITY_WAIT,
            REGISTRATION_TIMEOUT,
            FAILOVER_TIMEOUT,
            LOSS_REASON_TIMEOUT);

    private final SparkConf conf;
    private final MasterUrl master;

    /** @throws IllegalArgumentException with a sentence for the user if something in the settings is wrong */
    OffersSettings(SparkConf conf, String master) {
        this.conf = conf;
        this.master = MasterUrl.parse(master);
        for (Tuple2<String, String> setting : conf.getAllWithPrefix(PREFIX)) {
            if (!KEYS.contains(PREFIX + setting._1())) {
                throw new IllegalArgumentException(PREFIX + setting._1()
                        + " is no setting of the offers master; these are: " + String.join(", ", KEYS));
            }
        }
        for (Tuple2<String, String> setting : conf.getAllWithPrefix("spark.executor.resource.")) {
            throw new IllegalArgumentException("spark.executor.resource." + setting._1()
                    + ": the bridge offers cores and memory only; remove this setting");
        }
        for (String key : List.of(LOCALITY_WAIT, REGISTRATION_TIMEOUT, FAILOVER_TIMEOUT, LOSS_REASON_TIMEOUT)) {
            millis(key, "1s");
        }
        if (conf.contains(TRUST_STORE) && !tls()) {
            throw new IllegalArgumentException(TRUST_STORE + " is set, but " + TLS + " is not true: set both or none");
        }
        if (conf.contains(PRINCIPAL) != (conf.contains(SECRET) || conf.contains(SECRET_FILE))) {
            throw new IllegalArgumentException(
                    PRINCIPAL + " and " + SECRET_FILE + " (or " + SECRET + ") belong together: set both or none");
        }
    }

    MasterUrl master() {
        return master;
    }

    boolean tls() {
        return conf.getBoolean(TLS, false);
    }

    String role() {
        return conf.get(ROLE, "*");
    }

    String principal() {
        return conf.get(PRINCIPAL, "");
    }

    /** Files that each executor finds in its working directory. */
    List<String> uris() {
        return Arrays.stream(conf.get(URIS, "").split(",", -1))
                .map(String::trim)
                .filter(uri -> !uri.isEmpty())
                .collect(Collectors.toList());
    }

    long localityMillis() {
        if (conf.contains(LOCALITY_WAIT)) {
            return millis(LOCALITY_WAIT, "3s");
        }
        return conf.getTimeAsMs("spark.locality.wait", "3s");
    }

    long registrationMillis() {
        return millis(REGISTRATION_TIMEOUT, "60s");
    }

    double failoverSeconds() {
        return TimeUnit.MILLISECONDS.toSeconds(millis(FAILOVER_TIMEOUT, "120s"));
    }

    long lossReasonMillis() {
        return millis(LOSS_REASON_TIMEOUT, "60s");
    }

    private long millis(String key, String fallback) {
        long millis;
        try {
            millis = conf.getTimeAsMs(key, fallback);
        } catch (RuntimeException e) { // Spark says NumberFormatException, inside others
            throw new IllegalArgumentException(
                    key + " = " + conf.get(key, "") + ": write a time such as 500ms, 3s or 2min", e);
        }
        if (millis < 0) {
            throw new IllegalArgumentException(key + " = " + conf.get(key, "") + ": a time cannot be negative");
        }
        return millis;
    }

    /** The bridges with credentials and trust. */
    Bridges bridges() {
        Bridges bridges = Bridges.at(master.addresses(tls()));
        if (!principal().isEmpty()) {
            bridges = bridges.as(principal(), secret());
        }
        SSLContext trust = trust();
        return trust == null ? bridges : bridges.trusting(trust);
    }

    /** Trust in other certificates than those that this Java trusts; null without a trust store. */
    @Nullable
    SSLContext trust() {
        if (conf.contains(TRUST_STORE)) {
            return TrustStore.load(conf.get(TRUST_STORE), conf.get(TRUST_STORE_PASSWORD, ""));
        }
        return null;
    }

    /** The secret of the principal; empty without one. */
    String secret() {
        if (principal().isEmpty()) {
            return "";
        }
        if (!conf.contains(SECRET_FILE)) {
            return conf.get(SECRET);
        }
        String file = conf.get(SECRET_FILE);
        try {
            return Files.readString(Path.of(file)).trim();
        } catch (IOException e) {
            throw new IllegalArgumentException(SECRET_FILE + " = " + file + ": the file cannot be read: " + e, e);
        }
    }
}
