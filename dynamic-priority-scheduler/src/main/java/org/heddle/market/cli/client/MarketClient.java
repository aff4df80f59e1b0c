// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.heddle.market.security.RefusedException;
import org.heddle.market.security.RequestParts;
import org.heddle.market.security.RequestSigner;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to a market and signs them if there is a key. It follows the redirect of a standby ResourceManager
 * with a new signature, and tries the next address if one cannot be reached.
 */
public final class MarketClient {
    private static final String API = "/heddle/market/v1/";
    private static final String JSON_TYPE = "application/json";
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final int HOPS = 3;
    private static final int UNAUTHORIZED = 401;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<URI> addresses;
    private final @Nullable RequestSigner signer;
    private final @Nullable SpnegoNegotiation negotiation;
    private final Clock clock;
    private final HttpClient client = HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(TIMEOUT)
            .build();

    /**
     * @param addresses of ResourceManagers of one cluster, one or more
     * @param signer null to send requests without a signature
     * @param negotiation null to send requests without Kerberos
     */
    public MarketClient(
            List<URI> addresses, @Nullable RequestSigner signer, @Nullable SpnegoNegotiation negotiation, Clock clock) {
        this.addresses = addresses;
        this.signer = signer;
        this.negotiation = negotiation;
        this.clock = clock;
    }

    public JsonNode get(String path) {
        return json(send("GET", path, "", "", JSON_TYPE));
    }

    /** A table as comma-separated values. */
    public String csv(String path) {
        HttpResponse<String> answer = send("GET", path, "", "", "text/csv");
        if (answer.statusCode() / 100 != 2) {
            throw new CommandException(CommandException.REFUSED, answer.body().strip());
        }
        return answer.body();
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

    private static JsonNode json(HttpResponse<String> answer) {
        JsonNode body;
        try {
            body = JSON.readTree(answer.body());
        } catch (JsonProcessingException e) {
            throw new CommandException(
                    CommandException.WRONG,
                    answer.uri() + " answered with status " + answer.statusCode()
                            + " and without JSON; check that this is a"
                            + " ResourceManager with the dynamic-priority scheduler");
        }
        if (answer.statusCode() / 100 != 2) {
            String message = body.at("/error/message").asText();
            throw new CommandException(
                    CommandException.REFUSED,
                    message.isEmpty() ? "the market answered with status " + answer.statusCode() : message);
        }
        return body;
    }

    private HttpResponse<String> send(String method, String path, String body, String idempotencyKey, String accept) {
        CommandException last = new CommandException(CommandException.WRONG, "no address is given; use --url");
        for (URI address : addresses) {
            try {
                return send(method, address.resolve(API + path), body, idempotencyKey, accept);
            } catch (IOException e) {
                last = new CommandException(
                        CommandException.WRONG, address + " cannot be reached: " + cause(e) + "; use another --url");
            }
        }
        throw last;
    }

    private static String cause(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private HttpResponse<String> send(String method, URI first, String body, String idempotencyKey, String accept)
            throws IOException {
        URI uri = first;
        for (int hop = 0; hop < HOPS; hop++) {
            HttpResponse<String> answer = once(method, uri, body, idempotencyKey, accept, "");
            if (answer.statusCode() == UNAUTHORIZED && negotiation != null) {
                answer = once(method, uri, body, idempotencyKey, accept, negotiation.token(uri.getHost()));
            }
            Optional<String> location = answer.headers().firstValue("Location");
            if (answer.statusCode() / 100 != 3 || location.isEmpty()) {
                return answer;
            }
            uri = uri.resolve(location.get());
        }
        throw new IOException("there are too many redirects");
    }

    private HttpResponse<String> once(
            String method, URI uri, String body, String idempotencyKey, String accept, String token)
            throws IOException {
        Map<String, String> fields = new HashMap<>();
        fields.put("Accept", accept);
        if (!body.isEmpty()) {
            fields.put("Content-Type", JSON_TYPE);
        }
        if (!idempotencyKey.isEmpty()) {
            fields.put("Idempotency-Key", idempotencyKey);
        }
        if (signer != null) {
            fields.putAll(signature(signer, method, uri, body, fields));
        } else {
            fields.put("X-XSRF-Header", "heddle-market");
        }
        if (!token.isEmpty()) {
            fields.put("Authorization", "Negotiate " + token);
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .timeout(TIMEOUT)
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        fields.forEach(request::header);
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException(CommandException.WRONG, "interrupted");
        }
    }

    private Map<String, String> signature(
            RequestSigner with, String method, URI uri, String body, Map<String, String> fields) {
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
