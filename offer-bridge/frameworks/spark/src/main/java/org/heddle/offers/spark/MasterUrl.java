// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/**
 * A master of the form {@code offers://HOST:PORT[,HOST:PORT..]}: a bridge, or the leader and its standbys. {@code
 * spark-offers://} means the same, because spark-submit of Spark 3.5 accepts only masters that begin with a name that
 * it knows.
 */
final class MasterUrl {
    private static final List<String> SCHEMES = List.of("offers://", "spark-offers://");
    private static final String FORM =
            "write offers://HOST:PORT, or offers://HOST:PORT,HOST:PORT for a bridge with standbys";

    private final List<String> hosts;

    private MasterUrl(List<String> hosts) {
        this.hosts = hosts;
    }

    static boolean isOffers(String master) {
        return SCHEMES.stream().anyMatch(master::startsWith);
    }

    /** @throws IllegalArgumentException with a sentence for the user */
    static MasterUrl parse(String master) {
        String rest = SCHEMES.stream()
                .filter(master::startsWith)
                .findFirst()
                .map(scheme -> master.substring(scheme.length()))
                .orElseThrow(() -> wrong(master, "it does not begin with offers://"));
        if (rest.contains("@")) {
            // Not quoted: it may hold a secret.
            throw new IllegalArgumentException(
                    "The master has a user or a secret before '@', and masters are shown in logs and"
                            + " pages: set spark.offers.principal and spark.offers.secretFile instead");
        }
        List<String> hosts = new ArrayList<>();
        for (String host : rest.split(",", -1)) {
            hosts.add(checked(master, host.trim()));
        }
        return new MasterUrl(hosts);
    }

    private static String checked(String master, String host) {
        URI uri;
        try {
            uri = URI.create("http://" + host);
        } catch (IllegalArgumentException e) {
            throw wrong(master, "'" + host + "' is no address");
        }
        if (uri.getHost() == null || !host.equals(uri.getAuthority())) {
            throw wrong(master, "'" + host + "' is no HOST:PORT");
        }
        if (uri.getPort() < 1 || uri.getPort() > 65_535) {
            throw wrong(master, "'" + host + "' has no port from 1 to 65535");
        }
        return host;
    }

    private static IllegalArgumentException wrong(String master, String why) {
        return new IllegalArgumentException("Master " + master + ": " + why + ": " + FORM);
    }

    /** The addresses in the order of the master. */
    URI[] addresses(boolean tls) {
        return hosts.stream()
                .map(host -> URI.create((tls ? "https://" : "http://") + host))
                .toArray(URI[]::new);
    }

    @Override
    public String toString() {
        return String.join(", ", hosts);
    }
}
