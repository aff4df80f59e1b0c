// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.api;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.heddle.market.security.RefusedException;
import org.jspecify.annotations.Nullable;

/** The formats of responses; a refusal has the format that the client accepts. */
public enum ResponseFormat {
    JSON("application/json"),
    XML("text/xml"),
    TEXT("text/plain");

    private static final Map<String, ResponseFormat> BY_TYPE = Map.of(
            "application/json", JSON, "text/xml", XML, "application/xml", XML, "text/plain", TEXT, "text/csv", TEXT);
    private static final int LONGEST_ACCEPT = 1_000;
    private final String type;

    ResponseFormat(String type) {
        this.type = type;
    }

    public String contentType() {
        return type + "; charset=utf-8";
    }

    /** The first known format in an Accept field, without regard to weights; the fallback if there is none. */
    public static ResponseFormat of(@Nullable String accept, ResponseFormat fallback) {
        if (accept == null || accept.length() > LONGEST_ACCEPT) {
            return fallback;
        }
        for (String range : accept.toLowerCase(Locale.ROOT).split(",", -1)) {
            String type = range.split(";", -1)[0].strip();
            if (type.equals("*/*") || type.equals("text/html")) {
                return fallback;
            }
            ResponseFormat known = BY_TYPE.get(type);
            if (known != null) {
                return known;
            }
        }
        return fallback;
    }

    /** A refusal in this format. */
    public ApiResponse refusal(RefusedException refusal) {
        int status = refusal.kind().status();
        Map<String, String> fields = new HashMap<>();
        if (refusal.retryAfterMillis() > 0) {
            fields.put("Retry-After", Long.toString((refusal.retryAfterMillis() + 999) / 1_000));
        }
        byte[] body = switch (this) {
            case JSON -> MarketJson.bytes(MarketJson.Refusal.of(refusal));
            case XML ->
                utf8(Xml.HEAD + "<error status=\"" + status + "\" code=\"" + Xml.escape(refusal.code()) + "\">"
                        + Xml.escape(refusal.sentence()) + "</error>\n");
            case TEXT -> utf8(refusal.sentence() + "\n");
        };
        return new ApiResponse(status, contentType(), body, fields);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
