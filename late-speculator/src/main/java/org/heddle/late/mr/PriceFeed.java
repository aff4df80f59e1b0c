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
 * Reads over REST what a slot-hour costs an account of a market: its spending rate. {@code GET
 * /heddle/market/v1/accounts/ACCOUNT} answers {@code {..,"slotHourCost":"0.5",..}}; {@code GET
 * /scheduler?info=ACCOUNT} of the paper answers {@code <QueueInfo>..<spending>0.5</spending>}. The price of the cluster is
 * the sum of all rates and not used. Requests do not block; an answer is valid for five minutes. Without a valid answer a
 * configured cost counts, if there is one: in a cluster with Kerberos an ApplicationMaster has no ticket for the account.
 */
final class PriceFeed {
    private static final Logger LOG = LoggerFactory.getLogger(PriceFeed.class);
    private static final Pattern SLOT_HOUR_COST = Pattern.compile("\"slotHourCost\"\\s*:\\s*\"([0-9.eE+-]+)\"");
    private static final double HOUR = 3_600;
    private static final Pattern SPENDING = Pattern.compile("<spending>\\s*([0-9.eE+-]+)\\s*</spending>");
    private static final long REFRESH_MILLIS = 10_000;
    private static final long VALID_MILLIS = 300_000;

    private final HttpClient client;
    private final @Nullable HttpRequest request;
    private final double seconds;
    /** Credits per slot and second while there is no answer; NaN for none. */
    private final double otherwise;

    private volatile double price = Double.NaN;
    private volatile long answeredAt = Long.MIN_VALUE / 2;
    private volatile boolean warned;
    private long requestedAt = Long.MIN_VALUE / 2;

    /**
     * @param url of the account; empty for none
     * @param seconds slot-seconds that a rate in XML is for
     * @param slotHour cost of a slot-hour while there is no answer; 0 if it is not known
     * @throws IllegalArgumentException if the address is not valid
     */
    PriceFeed(String url, double seconds, double slotHour) {
        this.client = HttpClient.newBuilder()
                .connectTimeout(Duration.ofSeconds(5))
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build();
        this.request = url.isEmpty()
                ? null
                : HttpRequest.newBuilder(URI.create(url))
                        .timeout(Duration.ofSeconds(5))
                        .build();
        this.seconds = seconds;
        this.otherwise = slotHour > 0 ? slotHour / HOUR : Double.NaN;
    }

    /**
     * Credits per slot and second in the last answer, else the configured cost; NaN while neither is known. Requests it again
     * every ten seconds.
     */
    double perSlotSecond(long now) {
        HttpRequest account = request;
        if (account != null && now - requestedAt >= REFRESH_MILLIS) {
            requestedAt = now;
            request(account, now);
        }
        return now - answeredAt <= VALID_MILLIS ? price : otherwise;
    }

    /**
     * Credits per slot and second.
     *
     * @param seconds slot-seconds that a rate in XML is for
     */
    static double parse(String body, double seconds) {
        Matcher json = SLOT_HOUR_COST.matcher(body);
        if (json.find()) {
            return Double.parseDouble(json.group(1)) / HOUR;
        }
        Matcher xml = SPENDING.matcher(body);
        if (!xml.find()) {
            throw new IllegalArgumentException(
                    "the answer has neither a \"slotHourCost\" nor a <spending>: use the address of an account, for"
                            + " example http://rm:8088/heddle/market/v1/accounts/ACCOUNT");
        }
        return Double.parseDouble(xml.group(1)) / seconds;
    }

    private void request(HttpRequest account, long now) {
        // The answer is stored in the fields, so the future is not used.
        var unused = client.sendAsync(account, HttpResponse.BodyHandlers.ofString())
                .whenComplete((answer, failure) -> answered(account, answer, failure, now));
    }

    private void answered(
            HttpRequest account, @Nullable HttpResponse<String> answer, @Nullable Throwable failure, long now) {
        try {
            if (failure != null || answer == null) {
                warnOnce(account, failure == null ? "no answer" : String.valueOf(failure.getMessage()));
            } else if (answer.statusCode() != 200) {
                warnOnce(account, "HTTP status " + answer.statusCode());
            } else {
                price = parse(answer.body(), seconds);
                answeredAt = now;
            }
        } catch (IllegalArgumentException e) {
            warnOnce(account, String.valueOf(e.getMessage()));
        }
    }

    private void warnOnce(HttpRequest account, String why) {
        if (!warned) {
            warned = true;
            LOG.warn(
                    "No cost of a slot-hour from {}: {}. Until it is known, decisions about backups {}.",
                    account.uri(),
                    why,
                    Double.isNaN(otherwise)
                            ? "ignore costs; " + LateKeys.PRICE_SLOT_HOUR.name() + " can name the cost"
                            : "use " + LateKeys.PRICE_SLOT_HOUR.name());
        }
    }
}
