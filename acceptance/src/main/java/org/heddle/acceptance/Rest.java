// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.heddle.testkit.Await;

/** Asks web servers. */
public final class Rest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .connectTimeout(Duration.ofSeconds(5))
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build();

    private Rest() {}

    /** What the address answers to a GET, as JSON. */
    public static JsonNode json(URI address) throws IOException {
        HttpResponse<String> answer = send(HttpRequest.newBuilder(address).header("Accept", "application/json"));
        if (answer.statusCode() != 200) {
            throw new IOException(address + " answers " + answer.statusCode() + ": " + answer.body());
        }
        return JSON.readTree(answer.body());
    }

    public static JsonNode parse(String text) throws IOException {
        return JSON.readTree(text);
    }

    /** What the address answers to a GET, whatever the status. */
    public static HttpResponse<String> get(URI address) throws IOException {
        return send(HttpRequest.newBuilder(address));
    }

    /** What the address answers to POST, PUT and the like. */
    public static HttpResponse<String> send(String method, URI address, String type, String body) throws IOException {
        return send(HttpRequest.newBuilder(address)
                .header("Content-Type", type)
                .method(method, BodyPublishers.ofString(body)));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException {
        try {
            return HTTP.send(
                    request.timeout(Await.stretched(Duration.ofSeconds(20))).build(), BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for an answer", e);
        }
    }
}
