// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** The page under {@code /heddle/}: one document that fetches nothing but our own JSON, and a policy that says so. */
final class SchedulerPage {
    private static final String STYLE = resource("page.css");
    private static final String SCRIPT = resource("page.js");

    static final byte[] HTML = resource("page.html")
            .replace("@STYLE@", STYLE)
            .replace("@SCRIPT@", SCRIPT)
            .getBytes(StandardCharsets.UTF_8);

    static final String CONTENT_SECURITY_POLICY = "default-src 'none'; connect-src 'self'; script-src " + hash(SCRIPT)
            + "; style-src " + hash(STYLE) + "; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

    private SchedulerPage() {}

    private static String resource(String name) {
        try (InputStream in = SchedulerPage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing from the scheduler's jar; build it anew");
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
