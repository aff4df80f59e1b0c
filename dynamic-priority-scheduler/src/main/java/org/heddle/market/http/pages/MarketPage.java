// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.pages;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.heddle.market.http.api.ApiPaths;
import org.heddle.market.http.api.ApiResponse;
import org.heddle.market.http.api.ResponseFormat;
import org.heddle.scheduler.http.InlinePage;

/**
 * The console, one HTML document that loads nothing but the market's own JSON and has a content security policy that
 * says so; and the description of the API.
 */
public final class MarketPage {
    private static final int MOVED = 301;
    private static final InlinePage PAGE =
            InlinePage.read(MarketPage.class, "console.html", "console.css", "console.js");
    private static final byte[] HTML = PAGE.bytes();
    private static final byte[] OPENAPI =
            InlinePage.text(MarketPage.class, "openapi.json").getBytes(StandardCharsets.UTF_8);

    private MarketPage() {}

    public static ApiResponse answer(String path) {
        if (path.endsWith("/")) {
            return new ApiResponse(
                    ApiResponse.OK,
                    "text/html; charset=utf-8",
                    HTML,
                    Map.of("Content-Security-Policy", PAGE.contentSecurityPolicy()));
        }
        // Relative addresses in the page need the slash.
        return new ApiResponse(
                MOVED, ResponseFormat.TEXT.contentType(), new byte[0], Map.of("Location", ApiPaths.ROOT + "/"));
    }

    public static ApiResponse openApi() {
        return ApiResponse.of(ResponseFormat.JSON.contentType(), OPENAPI);
    }
}
