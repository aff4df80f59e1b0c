// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The console: one page with style and script inside, which reads {@code console/data} every two seconds.
 *
 * @param policy the Content-Security-Policy, which allows nothing else
 */
record ConsolePage(byte[] page, String policy) {
    static ConsolePage load() {
        String style = resource("console.css");
        String script = resource("console.js");
        String page = resource("console.html").replace("@STYLE@", style).replace("@SCRIPT@", script);
        String policy = "default-src 'none'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none';"
                + " frame-ancestors 'none'; script-src '" + hash(script) + "'; style-src '" + hash(style) + "'";
        return new ConsolePage(page.getBytes(StandardCharsets.UTF_8), policy);
    }

    /** @param name of a file beside the page in the jar */
    static String resource(String name) {
        try (InputStream in = ConsolePage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the bridge's jar has no " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("the bridge's jar cannot be read", e);
        }
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no SHA-256", e);
        }
    }
}
