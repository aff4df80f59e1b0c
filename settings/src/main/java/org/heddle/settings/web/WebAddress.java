// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings.web;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Addresses of web servers as users and site files write them, and parts of addresses. */
public final class WebAddress {
    private static final int LAST_PORT = 65_535;

    private WebAddress() {}

    /** {@code http://} or {@code https://}, a host and perhaps a port; null for anything else. */
    public static @Nullable URI parse(String text) {
        if (!text.matches("https?://[^/?#\\s]+/*")) {
            return null;
        }
        try {
            URI address = new URI(text.replaceAll("/+$", ""));
            return address.getHost() == null || address.getPort() > LAST_PORT ? null : address;
        } catch (URISyntaxException e) {
            return null;
        }
    }

    /**
     * An address of a user's: as for {@link #parse}, and {@code host:port} for http.
     *
     * @throws IllegalArgumentException one sentence
     */
    public static URI of(String text) {
        String whole = text.strip().matches("[^/\\s]+:[0-9]{1,5}/?") ? "http://" + text.strip() : text.strip();
        URI address = parse(whole);
        if (address == null) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a web address; write for example http://rm1:8088 or rm1:8088");
        }
        return address;
    }

    /**
     * The web addresses of a cluster's ResourceManagers, both of a pair, as the site files have them.
     *
     * @param site the value of a key; null where no file sets it
     */
    public static List<URI> ofResourceManagers(Function<String, @Nullable String> site) {
        boolean https = "HTTPS_ONLY".equals(site.apply("yarn.http.policy"));
        String key = https ? "yarn.resourcemanager.webapp.https.address" : "yarn.resourcemanager.webapp.address";
        List<String> ids = new ArrayList<>();
        if ("true".equals(site.apply("yarn.resourcemanager.ha.enabled"))) {
            for (String id : value(site, "yarn.resourcemanager.ha.rm-ids", "").split(",", -1)) {
                ids.add("." + id.strip());
            }
        } else {
            ids.add("");
        }
        List<URI> addresses = new ArrayList<>();
        for (String id : ids) {
            String host = value(site, "yarn.resourcemanager.hostname" + id, "localhost");
            String address = value(site, key + id, host + (https ? ":8090" : ":8088"));
            addresses.add(of((https ? "https://" : "http://") + address.replaceFirst("^0\\.0\\.0\\.0", "localhost")));
        }
        return addresses;
    }

    private static String value(Function<String, @Nullable String> site, String key, String fallback) {
        String value = site.apply(key);
        return value == null || value.isEmpty() ? fallback : value;
    }

    /** Any text as one segment of a path or one value of a query, percent-encoded. */
    public static String segment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
