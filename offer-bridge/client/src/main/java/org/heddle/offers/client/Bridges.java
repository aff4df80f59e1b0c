// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.client;

import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of the bridges, and the credentials for them. Immutable.
 *
 * <pre>{@code
 * Bridges.at(URI.create("https://bridge1:5050"), URI.create("https://bridge2:5050"))
 *         .as("analytics", secret)
 *         .trusting(sslContext)
 * }</pre>
 */
public final class Bridges {
    private final List<URI> addresses;
    private final String authorization;
    private final @Nullable SSLContext trust;

    private Bridges(List<URI> addresses, String authorization, @Nullable SSLContext trust) {
        this.addresses = addresses;
        this.authorization = authorization;
        this.trust = trust;
    }

    /** The address of one bridge, or those of the leader and its standbys. A standby redirects to the leader. */
    public static Bridges at(URI... addresses) {
        if (addresses.length == 0) {
            throw new IllegalArgumentException("no addresses of bridges: give at least one");
        }
        return new Bridges(List.of(addresses), "", null);
    }

    /** Adds the principal and secret from the operator of the bridge. They are sent to these bridges and where those redirect. */
    public Bridges as(String principal, String secret) {
        byte[] pair = (principal + ":" + secret).getBytes(StandardCharsets.UTF_8);
        return new Bridges(addresses, "Basic " + Base64.getEncoder().encodeToString(pair), trust);
    }

    /** Adds trust in certificates that this Java does not trust. */
    public Bridges trusting(SSLContext context) {
        return new Bridges(addresses, authorization, context);
    }

    URI address(int attempt) {
        return addresses.get(Math.floorMod(attempt, addresses.size()));
    }

    String authorization() {
        return authorization;
    }

    HttpClient client() {
        HttpClient.Builder client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
        SSLContext own = trust;
        return (own == null ? client : client.sslContext(own)).build();
    }
}
