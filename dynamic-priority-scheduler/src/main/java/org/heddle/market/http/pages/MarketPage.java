// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.pages;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;
import org.heddle.market.http.api.ApiPaths;
import org.heddle.market.http.api.ApiResponse;
import org.heddle.market.http.api.ResponseFormat;

/**
 * The console, one HTML document that loads nothing but the market's own JSON and has a content security policy that
 * says so; and the description of the API.
 */
public final class MarketPage {
    private static final int MOVED = 301;
    private static final String STYLE = resource("console.css");
    private static final String SCRIPT = resource("console.js");
    private static final String POLICY = "default-src 'none'; connect-src 'self'; script-src " + hash(SCRIPT)
            + "; style-src " + hash(STYLE) + "; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
    private static final byte[] HTML = resource("console.html")
            .replace("@STYLE@", STYLE)
            .replace("@SCRIPT@", SCRIPT)
            .getBytes(StandardCharsets.UTF_8);
    private static final byte[] OPENAPI = resource("openapi.json").getBytes(StandardCharsets.UTF_8);

    private MarketPage() {}

    public static ApiResponse answer(String path) {
        if (path.endsWith("/")) {
            return new ApiResponse(
                    ApiResponse.OK, "text/html; charset=utf-8", HTML, Map.of("Content-Security-Policy", POLICY));
        }
        // Relative addresses in the page need the slash.
        return new ApiResponse(
                MOVED, ResponseFormat.TEXT.contentType(), new byte[0], Map.of("Location", ApiPaths.ROOT + "/"));
    }

    public static ApiResponse openApi() {
        return ApiResponse.of(ResponseFormat.JSON.contentType(), OPENAPI);
    }

    private static String resource(String name) {
        try (InputStream in = MarketPage.class.getResourceAsStream(name)) {
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
