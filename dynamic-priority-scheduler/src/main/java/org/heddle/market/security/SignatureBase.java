// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.greenbytes.http.sfv.InnerList;
import org.greenbytes.http.sfv.Item;
import org.greenbytes.http.sfv.StringItem;
import org.jspecify.annotations.Nullable;

/**
 * The text that is signed (RFC 9421 2.5), for requests. Component parameters ({@code sf}, {@code key}, {@code bs},
 * {@code req}, {@code tr}) and {@code @query-param} are refused: no accepted signature needs them.
 */
final class SignatureBase {
    private SignatureBase() {}

    /**
     * The base for a list of components; the parameters of the list become the last line.
     *
     * @throws RefusedException (400) if a component is unknown, missing in the request, or there twice
     */
    static String of(RequestParts request, InnerList covered) throws RefusedException {
        StringBuilder base = new StringBuilder(512);
        Set<String> seen = new HashSet<>();
        for (Item<?> component : covered.get()) {
            String name = name(component);
            if (!seen.add(name)) {
                throw RefusedException.badRequest("the signature covers '" + name + "' twice; cover it once");
            }
            base.append('"')
                    .append(name)
                    .append("\": ")
                    .append(value(request, name))
                    .append('\n');
        }
        return base.append("\"@signature-params\": ")
                .append(covered.serialize())
                .toString();
    }

    static String name(Item<?> component) throws RefusedException {
        if (!(component instanceof StringItem quoted)) {
            throw RefusedException.badRequest("a covered component of the signature is not a quoted name");
        }
        String name = quoted.get();
        if (!component.getParams().isEmpty()) {
            throw RefusedException.badRequest("the signature's component '" + name
                    + "' has parameters, which are not supported here; cover the whole component");
        }
        if (!name.equals(name.toLowerCase(Locale.ROOT))) {
            throw RefusedException.badRequest("the signature's component '" + name + "' must be in lower case");
        }
        return name;
    }

    private static String value(RequestParts request, String name) throws RefusedException {
        String value = name.startsWith("@") ? derived(request, name) : request.field(name);
        if (value == null) {
            throw RefusedException.badRequest("the signature covers '" + name
                    + "', which is missing in the request; sign the request as it is sent");
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c > 0x7e || (c < ' ' && c != '\t')) {
                throw RefusedException.badRequest(
                        "the signature covers '" + name + "', whose value is not plain ASCII; encode it");
            }
        }
        return value;
    }

    private static @Nullable String derived(RequestParts request, String name) {
        String query = request.query();
        return switch (name) {
            case "@method" -> request.method();
            case "@scheme" -> request.scheme().toLowerCase(Locale.ROOT);
            case "@authority" -> authority(request);
            case "@path" -> path(request);
            case "@query" -> "?" + (query == null ? "" : query);
            case "@request-target" -> request.path() + (query == null ? "" : "?" + query);
            case "@target-uri" ->
                request.scheme().toLowerCase(Locale.ROOT) + "://" + authority(request) + path(request)
                        + (query == null ? "" : "?" + query);
            default -> null;
        };
    }

    private static String path(RequestParts request) {
        return request.path().isEmpty() ? "/" : request.path();
    }

    /** Normalised as RFC 9421 2.2.3 requires: lower case, without the default port of the scheme. */
    private static String authority(RequestParts request) {
        String authority = request.authority().toLowerCase(Locale.ROOT);
        String ownPort = request.scheme().equalsIgnoreCase("https") ? ":443" : ":80";
        return authority.endsWith(ownPort) ? authority.substring(0, authority.length() - ownPort.length()) : authority;
    }
}
