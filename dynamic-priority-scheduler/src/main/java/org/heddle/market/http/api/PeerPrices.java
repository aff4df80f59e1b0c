// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.status.MarketStatus;

/**
 * Prices of the markets of other clusters, for agents that choose a cluster (paper, sections 6 and 7). A background
 * thread reads them at most every {@value #FRESH_MILLIS} ms; the shown prices may be that old.
 */
public final class PeerPrices {
    private static final long FRESH_MILLIS = 10_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final int LARGEST = 64 * 1024;
    private static final JsonFactory FACTORY = new JsonFactory();

    /**
     * The last answer of one cluster.
     *
     * @param fields text and number fields of its price
     * @param problem why there are no fields; empty if there are
     * @param date of the request, milliseconds since 1970
     * @param atMillis time of the request by the monotonic clock
     */
    private record Seen(Map<String, String> fields, String problem, long date, long atMillis) {}

    private static final Seen UNKNOWN = new Seen(Map.of(), "not known yet; try again in a moment", 0, 0);

    private final Map<String, URI> peers;
    private final Map<String, Seen> seen = new ConcurrentHashMap<>();
    private final Map<String, AtomicBoolean> asking = new ConcurrentHashMap<>();
    private final HttpClient client = HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NORMAL)
            .connectTimeout(TIMEOUT)
            .build();
    private final ExecutorService asker = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "heddle-peer-prices");
        thread.setDaemon(true);
        return thread;
    });

    public PeerPrices(Map<String, URI> peers) {
        this.peers = peers;
        peers.keySet().forEach(name -> asking.put(name, new AtomicBoolean()));
    }

    public Route route() {
        return Route.get("clusters", this::clusters);
    }

    private ApiResponse clusters(ApiRequest x) throws MarketException {
        peers.forEach((name, address) -> refresh(name, address, x));
        MarketStatus ours = x.market().status();
        Map<String, String> price = Map.of(
                "price", ours.price().toString(),
                "capacity", ours.capacity().toString());
        List<String> names = List.copyOf(peers.keySet());
        return ApiResponse.ok(json -> {
            json.writeArrayFieldStart("clusters");
            write(json, ours.terms().clusterId(), true, new Seen(price, "", x.nowMillis(), x.monotonicMillis()));
            for (String name : names) {
                write(json, name, false, seen.getOrDefault(name, UNKNOWN));
            }
            json.writeEndArray();
        });
    }

    private static void write(JsonGenerator json, String name, boolean here, Seen of) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", name);
        json.writeBooleanField("here", here);
        for (String field : List.of("price", "capacity")) {
            json.writeStringField(field, of.fields().get(field));
        }
        json.writeNumberField("askedMillis", of.date());
        json.writeStringField("problem", of.problem());
        json.writeEndObject();
    }

    private void refresh(String name, URI address, ApiRequest x) {
        Seen last = seen.get(name);
        AtomicBoolean busy = asking.get(name);
        if ((last != null && x.monotonicMillis() - last.atMillis() < FRESH_MILLIS)
                || busy == null
                || !busy.compareAndSet(false, true)) {
            return;
        }
        asker.execute(() -> {
            try {
                seen.put(name, ask(address, x));
            } finally {
                busy.set(false);
            }
        });
    }

    private Seen ask(URI address, ApiRequest x) {
        long date = x.nowMillis();
        long millis = x.monotonicMillis();
        HttpRequest request = HttpRequest.newBuilder(address.resolve(ApiPaths.API + "price"))
                .timeout(TIMEOUT)
                .header("Accept", "application/json")
                .build();
        try {
            HttpResponse<InputStream> answer = client.send(request, BodyHandlers.ofInputStream());
            try (InputStream body = answer.body()) {
                byte[] bytes = body.readNBytes(LARGEST);
                if (answer.statusCode() != ApiResponse.OK) {
                    return new Seen(Map.of(), "it answered with status " + answer.statusCode(), date, millis);
                }
                Map<String, String> fields = scalars(bytes);
                return "1".equals(fields.get("version"))
                        ? new Seen(fields, "", date, millis)
                        : new Seen(Map.of(), "it has another version of this API", date, millis);
            }
        } catch (IOException e) {
            return new Seen(Map.of(), "it cannot be reached", date, millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Seen(Map.of(), "the request was interrupted", date, millis);
        }
    }

    private static Map<String, String> scalars(byte[] json) throws IOException {
        Map<String, String> fields = new HashMap<>();
        try (JsonParser parser = FACTORY.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("the answer is not a JSON object");
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                if (parser.nextToken().isScalarValue()) {
                    fields.put(name, parser.getText());
                } else {
                    parser.skipChildren();
                }
            }
        }
        return fields;
    }
}
