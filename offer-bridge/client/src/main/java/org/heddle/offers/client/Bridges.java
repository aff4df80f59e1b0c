// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.client;

import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.heddle.offers.client.protocol.HttpTransport;
import org.heddle.offers.client.protocol.Masters;
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
        return new Bridges(new ArrayList<>(Arrays.asList(addresses)), "", null);
    }

    /**
     * Adds the principal and secret from the operator of the bridge. They are sent to these bridges and where those
     * redirect.
     */
    public Bridges as(String principal, String secret) {
        return new Bridges(addresses, HttpTransport.basic(principal, secret), trust);
    }

    /** Adds trust in certificates that this Java does not trust. */
    public Bridges trusting(SSLContext context) {
        return new Bridges(addresses, authorization, context);
    }

    Masters masters() {
        return attempt -> addresses.get(Math.floorMod(attempt, addresses.size()));
    }

    HttpTransport transport() {
        SSLContext own = trust;
        return new HttpTransport(authorization, own == null ? null : own.getSocketFactory());
    }
}
