// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.mr;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The market's price over REST. {@code GET /heddle/market/v1/price} answers {@code {..,"slotHour":"12.25",..}}, what one
 * slot costs for an hour; {@code GET /scheduler?price} of the paper answers {@code <QueueInfo>..<price>12.25</price>},
 * what the whole cluster costs. Asked for without waiting; the last answer counts until it is too old.
 */
final class PriceFeed {
    private static final Logger LOG = LoggerFactory.getLogger(PriceFeed.class);
    private static final Pattern SLOT_HOUR = Pattern.compile("\"slotHour\"\\s*:\\s*\"([0-9.eE+-]+)\"");
    private static final double HOUR = 3_600;
    private static final Pattern PRICE = Pattern.compile("<price>\\s*([0-9.eE+-]+)\\s*</price>");
    private static final long ASK_EVERY_MILLIS = 10_000;
    private static final long BELIEVE_MILLIS = 300_000;

    private final HttpClient client;
    private final HttpRequest request;
    private final double seconds;
    private volatile double price = Double.NaN;
    private volatile long answeredAt = Long.MIN_VALUE / 2;
    private volatile boolean complained;
    private long askedAt = Long.MIN_VALUE / 2;

    /**
     * @param seconds slot-seconds that a price in XML is for
     * @throws IllegalArgumentException when the address is not one
     */
    PriceFeed(String url, double seconds) {
        this.client = HttpClient.newBuilder()
                .connectTimeout(Duration.ofSeconds(5))
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build();
        this.request = HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofSeconds(5))
                .build();
        this.seconds = seconds;
    }

    /** Credits per slot and second as last heard; NaN while unknown. Asks again from time to time. */
    double perSlotSecond(long now) {
        if (now - askedAt >= ASK_EVERY_MILLIS) {
            askedAt = now;
            ask(now);
        }
        return now - answeredAt <= BELIEVE_MILLIS ? price : Double.NaN;
    }

    /**
     * Credits per slot and second.
     *
     * @param seconds slot-seconds that a price in XML is for
     */
    static double parse(String body, double seconds) {
        Matcher json = SLOT_HOUR.matcher(body);
        if (json.find()) {
            return Double.parseDouble(json.group(1)) / HOUR;
        }
        Matcher xml = PRICE.matcher(body);
        if (!xml.find()) {
            throw new IllegalArgumentException("the answer has neither a \"slotHour\" nor a <price>");
        }
        return Double.parseDouble(xml.group(1)) / seconds;
    }

    private void ask(long now) {
        // The answer arrives in the fields; nobody waits for the future.
        var unused = client.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .whenComplete((answer, failure) -> answered(answer, failure, now));
    }

    private void answered(@Nullable HttpResponse<String> answer, @Nullable Throwable failure, long now) {
        try {
            if (failure != null || answer == null) {
                complain(failure == null ? "no answer" : String.valueOf(failure.getMessage()));
            } else if (answer.statusCode() != 200) {
                complain("HTTP status " + answer.statusCode());
            } else {
                price = parse(answer.body(), seconds);
                answeredAt = now;
            }
        } catch (IllegalArgumentException e) {
            complain(String.valueOf(e.getMessage()));
        }
    }

    private void complain(String why) {
        if (!complained) {
            complained = true;
            LOG.warn(
                    "No price from {}: {}. Backups are launched without regard to prices until there is one.",
                    request.uri(),
                    why);
        }
    }
}
