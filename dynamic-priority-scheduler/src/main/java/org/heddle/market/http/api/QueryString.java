// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.api;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.heddle.market.model.naming.AccountNames;
import org.heddle.market.security.RefusedException;
import org.jspecify.annotations.Nullable;

/**
 * Parses query strings as they were sent. Hadoop's filters change the results of {@code getParameter}, but a signature
 * covers the original.
 */
public final class QueryString {
    /** Parameters of Hadoop's own filters, in lower case. */
    private static final Set<String> HADOOPS = Set.of("user.name", "doas", "delegation");

    private QueryString() {}

    /**
     * The decoded parameters, without those of Hadoop's filters. A parameter without an equals sign has an empty value.
     *
     * @throws RefusedException (400) if a parameter is there twice or is badly encoded
     */
    public static Map<String, String> parse(@Nullable String query) throws RefusedException {
        Map<String, String> parameters = new LinkedHashMap<>();
        if (query == null || query.isEmpty()) {
            return parameters;
        }
        for (String part : query.split("&", -1)) {
            if (part.isEmpty()) {
                continue;
            }
            int equals = part.indexOf('=');
            String name = decode(equals < 0 ? part : part.substring(0, equals), true);
            String value = equals < 0 ? "" : decode(part.substring(equals + 1), true);
            if (HADOOPS.contains(name.toLowerCase(Locale.ROOT))) {
                continue;
            }
            if (parameters.putIfAbsent(name, value) != null) {
                throw RefusedException.badRequest(
                        "the query contains '" + AccountNames.shown(name) + "' twice; send it once");
            }
        }
        return parameters;
    }

    /** Decodes percent-encoding. @throws RefusedException (400) if the text is not percent-encoded UTF-8 */
    public static String decode(String text, boolean plusIsBlank) throws RefusedException {
        ByteBuffer bytes = ByteBuffer.allocate(text.length() * 3);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                int high = i + 2 < text.length() ? Character.digit(text.charAt(i + 1), 16) : -1;
                int low = i + 2 < text.length() ? Character.digit(text.charAt(i + 2), 16) : -1;
                if (high < 0 || low < 0) {
                    throw badly(text);
                }
                bytes.put((byte) (high * 16 + low));
                i += 2;
            } else {
                bytes.put(Character.toString(c == '+' && plusIsBlank ? ' ' : c).getBytes(StandardCharsets.UTF_8));
            }
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
        } catch (CharacterCodingException e) {
            throw badly(text);
        }
    }

    private static RefusedException badly(String text) {
        return RefusedException.badRequest(
                "'" + AccountNames.shown(text) + "' in the address is badly encoded; use UTF-8 and %XX");
    }
}
