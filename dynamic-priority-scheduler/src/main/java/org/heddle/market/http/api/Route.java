// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.security.RefusedException;
import org.jspecify.annotations.Nullable;

/**
 * One operation of the JSON API.
 *
 * @param template the path below {@code /heddle/market/v1/}, with {@code {name}} for an open part
 * @param query allowed parameters; others are refused
 * @param body allowed fields; others are refused. If there are none, a body is refused
 * @param changes whether it changes the market
 */
public record Route(
        String method, String template, Set<String> query, Set<String> body, boolean changes, Handler handler) {
    /** Handles a request. */
    @FunctionalInterface
    public interface Handler {
        ApiResponse handle(ApiRequest request) throws RefusedException, MarketException;
    }

    static Route get(String template, Handler handler, String... query) {
        return new Route("GET", template, Set.of(query), Set.of(), false, handler);
    }

    static Route change(String method, String template, Handler handler, String... body) {
        return new Route(method, template, Set.of(), Set.of(body), true, handler);
    }

    /** A read-only operation with input that is too long for a query string. */
    static Route ask(String template, Handler handler, String... body) {
        return new Route("POST", template, Set.of(), Set.of(body), false, handler);
    }

    /** The open parts of a path, not decoded; null if the path does not match. */
    @Nullable
    public List<String> match(String[] segments) {
        String[] parts = template.split("/", -1);
        if (parts.length != segments.length) {
            return null;
        }
        List<String> open = new ArrayList<>();
        for (int i = 0; i < parts.length; i++) {
            if (parts[i].startsWith("{")) {
                open.add(segments[i]);
            } else if (!parts[i].equals(segments[i])) {
                return null;
            }
        }
        return open;
    }
}
