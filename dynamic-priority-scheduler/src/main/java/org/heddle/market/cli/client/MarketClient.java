// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.heddle.market.security.RefusedException;
import org.heddle.market.security.RequestParts;
import org.heddle.market.security.RequestSigner;
import org.heddle.market.security.RequestVerifier;
import org.heddle.settings.command.CommandException;
import org.heddle.settings.web.WebAnswer;
import org.heddle.settings.web.WebClient;
import org.jspecify.annotations.Nullable;

/** Sends requests to a market, and signs them if there is a key: again behind the redirection of a standby. */
public final class MarketClient {
    private static final String API = "/heddle/market/v1/";
    private static final String JSON_TYPE = "application/json";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int TRIES_AFTER_TAKEOVER = 30;
    private static final long PAUSE_NANOS = 500_000_000;

    private final WebClient client;
    private final Map<String, String> always;

    /**
     * @param addresses of ResourceManagers of one cluster, one or more
     * @param signer null to send requests without a signature, with Kerberos where the market demands it
     */
    public MarketClient(List<URI> addresses, @Nullable RequestSigner signer, Clock clock) {
        WebClient any = new WebClient(addresses, WebClient.PATIENCE, "give another address with --url");
        if (signer == null) {
            this.client = any;
            this.always = Map.of("X-XSRF-Header", "heddle-market");
        } else {
            this.client = any.withoutKerberos()
                    .with((method, uri, body, fields) -> signature(signer, clock, method, uri, body, fields));
            this.always = Map.of();
        }
    }

    public JsonNode get(String path) {
        return json(send("GET", path, "", "", JSON_TYPE));
    }

    /** A table as comma-separated values. */
    public String csv(String path) {
        return send("GET", path, "", "", "text/csv").body();
    }

    /** @param idempotencyKey marks a repetition of the same request; empty for none */
    public JsonNode change(String method, String path, Map<String, ?> body, String idempotencyKey) {
        try {
            String text = body.isEmpty() ? "" : JSON.writeValueAsString(body);
            return json(send(method, path, text, idempotencyKey, JSON_TYPE));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("texts can always be written as JSON", e);
        }
    }

    /** Each answer of a market is an object with the version of the format. */
    private static JsonNode json(WebAnswer answer) {
        try {
            JsonNode json = JSON.readTree(answer.body());
            if (json.has("version")) {
                return json;
            }
        } catch (JsonProcessingException e) {
            // Said below.
        }
        throw new CommandException(
                CommandException.WRONG,
                answer.uri().getAuthority() + " answers what no market answers; give the web address of a"
                        + " ResourceManager with the dynamic-priority scheduler with --url");
    }

    private WebAnswer send(String method, String path, String body, String idempotencyKey, String accept) {
        Map<String, String> fields = new HashMap<>(always);
        fields.put("Accept", accept);
        if (!body.isEmpty()) {
            fields.put("Content-Type", JSON_TYPE);
        }
        if (!idempotencyKey.isEmpty()) {
            fields.put("Idempotency-Key", idempotencyKey);
        }
        WebAnswer answer = sendOnce(method, path, body, fields);
        for (int tries = 1; tries < TRIES_AFTER_TAKEOVER && isTooEarly(answer); tries++) {
            LockSupport.parkNanos(PAUSE_NANOS);
            answer = sendOnce(method, path, body, fields);
        }
        if (!answer.isOk()) {
            throw new CommandException(CommandException.FAILED, client.refusal(answer));
        }
        return answer;
    }

    private WebAnswer sendOnce(String method, String path, String body, Map<String, String> fields) {
        try {
            return client.send(method, API + path, body, fields);
        } catch (IOException e) {
            throw new CommandException(CommandException.WRONG, String.valueOf(e.getMessage()));
        }
    }

    /** For some seconds after a ResourceManager became active, it refuses signed reads. */
    private static boolean isTooEarly(WebAnswer answer) {
        return !answer.isOk() && answer.body().contains('"' + RequestVerifier.BEFORE_TAKEOVER + '"');
    }

    private static Map<String, String> signature(
            RequestSigner with, Clock clock, String method, URI uri, String body, Map<String, String> fields) {
        Map<String, List<String>> lists = new HashMap<>();
        fields.forEach((name, value) -> lists.put(name, List.of(value)));
        RequestParts parts = new RequestParts(
                method,
                uri.getScheme(),
                uri.getAuthority(),
                uri.getRawPath(),
                uri.getRawQuery(),
                lists,
                body.getBytes(StandardCharsets.UTF_8));
        try {
            return with.sign(parts, clock.instant().getEpochSecond());
        } catch (RefusedException e) {
            throw new CommandException(CommandException.WRONG, e.sentence());
        }
    }
}
