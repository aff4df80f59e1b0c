// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * A page that is one HTML document: its style and script are inline, and its content security policy allows only these
 * two and requests to the same server.
 *
 * @param html the document
 * @param contentSecurityPolicy value of the header field of the same name
 */
public record InlinePage(String html, String contentSecurityPolicy) {
    /**
     * Reads a page from the resources of a class. The document has {@code @STYLE@} and {@code @SCRIPT@} in the places of
     * the style and the script.
     */
    public static InlinePage read(Class<?> owner, String html, String style, String script) {
        String css = text(owner, style);
        String js = text(owner, script);
        return new InlinePage(
                text(owner, html).replace("@STYLE@", css).replace("@SCRIPT@", js),
                "default-src 'none'; connect-src 'self'; script-src " + hash(js) + "; style-src " + hash(css)
                        + "; base-uri 'none'; form-action 'none'; frame-ancestors 'self'");
    }

    /** The document as bytes. */
    public byte[] bytes() {
        return html.getBytes(StandardCharsets.UTF_8);
    }

    /** A resource of a class as text. */
    public static String text(Class<?> owner, String name) {
        try (InputStream in = owner.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing from the scheduler's jar; build the jar again");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(name + " cannot be read from the scheduler's jar", e);
        }
    }

    private static String hash(String inline) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(inline.getBytes(StandardCharsets.UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
