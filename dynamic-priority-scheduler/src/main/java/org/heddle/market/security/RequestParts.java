// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an HTTP request that a signature can cover, as they were sent.
 *
 * @param method in capitals
 * @param scheme {@code http} or {@code https}
 * @param authority the Host field, for example {@code rm.example.org:8088}
 * @param path as sent, not decoded, without query
 * @param query after the question mark, as sent; null if there is none
 * @param fields header fields by their names in lower case, each with its values in order
 * @param body the content; empty if there is none
 */
public record RequestParts(
        String method,
        String scheme,
        String authority,
        String path,
        @Nullable String query,
        Map<String, List<String>> fields,
        byte[] body) {
    public RequestParts {
        Map<String, List<String>> copy = new TreeMap<>();
        fields.forEach((name, values) -> copy.computeIfAbsent(name.toLowerCase(Locale.ROOT), any -> new ArrayList<>())
                .addAll(values));
        fields = copy;
    }

    /** All values of a field as one list (RFC 9110 5.3); null if the field is not there. */
    public @Nullable String field(String lowerCaseName) {
        List<String> values = fields.get(lowerCaseName);
        if (values == null) {
            return null;
        }
        return String.join(", ", values.stream().map(String::strip).toList());
    }

    /** This request with more fields; those of the same name are replaced. */
    RequestParts with(Map<String, String> more) {
        Map<String, List<String>> all = new TreeMap<>(fields);
        more.forEach((name, value) -> all.put(name.toLowerCase(Locale.ROOT), List.of(value)));
        return new RequestParts(method, scheme, authority, path, query, all, body);
    }
}
