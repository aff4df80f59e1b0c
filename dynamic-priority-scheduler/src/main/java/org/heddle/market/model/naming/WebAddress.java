// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.naming;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The address of a ResourceManager's web server, and parts of addresses. */
public final class WebAddress {
    private static final int LAST_PORT = 65_535;

    private WebAddress() {}

    /** {@code http://} or {@code https://}, a host and perhaps a port; null for anything else. */
    public static @Nullable URI parse(String text) {
        if (!text.matches("https?://[^/?#\\s]+/?")) {
            return null;
        }
        try {
            URI address = new URI(text);
            return address.getHost() == null || address.getPort() > LAST_PORT ? null : address;
        } catch (URISyntaxException e) {
            return null;
        }
    }

    /** Any text as one segment of a path or one value of a query, percent-encoded. */
    public static String segment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
