// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.pages;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.heddle.market.http.api.ApiPaths;
import org.heddle.market.http.api.ApiResponse;
import org.heddle.market.http.api.ResponseFormat;
import org.heddle.market.model.status.MarketStatus;
import org.heddle.market.model.status.PreemptionLimit;
import org.heddle.market.model.status.QueueStatus;
import org.heddle.scheduler.http.ConsoleFrame;

/**
 * The market's section of the console, which loads nothing but its files and the JSON API, the same figures as plain
 * tables, and the description of the API.
 */
public final class MarketPage {
    /** The section in the navigation of Heddle's pages. */
    public static final ConsoleFrame.Section SECTION = new ConsoleFrame.Section("Market", ApiPaths.ROOT + "/");

    private static final int MOVED = 301;
    private static final int NOT_FOUND = 404;
    private static final int MOST_ROWS = 1_000;
    private static final Map<String, String> FIELDS =
            Map.of("Content-Security-Policy", ConsoleFrame.CONTENT_SECURITY_POLICY);
    private static final byte[] HTML = ConsoleFrame.page(MarketPage.class, "market", SECTION, List.of(SECTION), null);
    private static final byte[] OPENAPI =
            ConsoleFrame.text(MarketPage.class, "openapi.json").getBytes(StandardCharsets.UTF_8);

    private MarketPage() {}

    /** Whether a path is a page or file without any figure, which every caller may load. */
    public static boolean isPublic(String path) {
        return path.equals(ApiPaths.ROOT) || path.equals(ApiPaths.ROOT + "/") || path.startsWith(ApiPaths.STATIC);
    }

    /** The page, or one of its files. */
    public static ApiResponse answer(String path) {
        if (path.startsWith(ApiPaths.STATIC)) {
            return file(path.substring(ApiPaths.STATIC.length()));
        }
        if (path.endsWith("/")) {
            return new ApiResponse(ApiResponse.OK, "text/html; charset=utf-8", HTML, FIELDS);
        }
        // Relative addresses in the page need the slash.
        return new ApiResponse(
                MOVED, ResponseFormat.TEXT.contentType(), new byte[0], Map.of("Location", ApiPaths.ROOT + "/"));
    }

    private static ApiResponse file(String name) {
        ConsoleFrame.File file = ConsoleFrame.file(MarketPage.class, name);
        if (file == null) {
            byte[] sentence = "there is no such file\n".getBytes(StandardCharsets.UTF_8);
            return new ApiResponse(NOT_FOUND, ResponseFormat.TEXT.contentType(), sentence, Map.of());
        }
        return new ApiResponse(
                ApiResponse.OK, file.contentType(), file.bytes(), Map.of("Cache-Control", "max-age=600"));
    }

    /**
     * The market as tables, for browsers without JavaScript.
     *
     * @param queues those that the caller may see
     */
    public static ApiResponse tables(MarketStatus status, List<QueueStatus> queues) {
        StringBuilder html = new StringBuilder();
        html.append("<h1>Market ")
                .append(ConsoleFrame.escaped(status.terms().clusterId()))
                .append("</h1>");
        html.append("<table><caption>Market at ").append(status.now()).append("</caption><tbody>");
        line(html, "Price (sum of rates)", status.price());
        line(html, "Slots in use", status.used() + " of " + status.capacity());
        line(html, "Credits in all accounts", status.moneySupply());
        line(html, "Credits charged so far", status.revenue());
        line(html, "Work lost by preemption", percent(status.waste().part()));
        PreemptionLimit limit = status.waste().limit();
        if (limit.isLimited()) {
            line(html, "Limit of lost work", percent(limit.maxLost()));
            line(html, "Applications that starve because of this limit", limit.waiting());
        }
        html.append("</tbody></table><table><caption>Accounts</caption><thead><tr><th scope=\"col\">Account</th>"
                + "<th scope=\"col\">Balance</th><th scope=\"col\">Rate</th><th scope=\"col\">Share</th>"
                + "<th scope=\"col\">Used</th><th scope=\"col\">Waiting</th><th scope=\"col\">State</th></tr></thead>"
                + "<tbody>");
        for (QueueStatus queue : queues.subList(0, Math.min(MOST_ROWS, queues.size()))) {
            html.append("<tr><th scope=\"row\">")
                    .append(ConsoleFrame.escaped(queue.name()))
                    .append("</th>");
            for (Object value : List.of(
                    queue.budget(),
                    queue.rate(),
                    percent(queue.share().toDouble()),
                    queue.usedContainers(),
                    queue.pendingContainers(),
                    queue.state().name().toLowerCase(Locale.ROOT).replace('_', ' '))) {
                html.append("<td>").append(value).append("</td>");
            }
            html.append("</tr>\n");
        }
        html.append("</tbody></table>");
        if (queues.isEmpty()) {
            html.append("<p>You see no accounts. Sign in, or ask an administrator of the market for permission.</p>");
        } else if (queues.size() > MOST_ROWS) {
            html.append("<p>The first ").append(MOST_ROWS).append(" accounts; v1/accounts has all.</p>");
        }
        byte[] page = ConsoleFrame.page(MarketPage.class, "tables", SECTION, List.of(SECTION), html.toString());
        return new ApiResponse(ApiResponse.OK, "text/html; charset=utf-8", page, FIELDS);
    }

    private static String percent(double part) {
        return String.format(Locale.ROOT, "%.2f %%", part * 100);
    }

    private static void line(StringBuilder html, String name, Object value) {
        html.append("<tr><th scope=\"row\">")
                .append(name)
                .append("</th><td>")
                .append(value)
                .append("</td></tr>\n");
    }

    public static ApiResponse openApi() {
        return ApiResponse.of(ResponseFormat.JSON.contentType(), OPENAPI);
    }
}
