// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.client.protocol;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpRetryException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** Posts calls in protobuf, with the credentials and the trust of one client. Thread-safe. */
public final class HttpTransport {
    static final String STREAM_ID = "Mesos-Stream-Id";
    private static final String PROTOBUF = "application/x-protobuf";
    private static final int CONNECT_MILLIS = 10_000;

    private final String authorization;
    private final @Nullable SSLSocketFactory trust;

    /**
     * @param authorization the value of the header, see {@link #basic} and {@link #bearer}; empty for none
     * @param trust for https; null for the certificates that this Java trusts
     */
    public HttpTransport(String authorization, @Nullable SSLSocketFactory trust) {
        this.authorization = authorization;
        this.trust = trust;
    }

    public static String basic(String principal, String secret) {
        byte[] pair = (principal + ":" + secret).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(pair);
    }

    public static String bearer(String token) {
        return token.isEmpty() ? "" : "Bearer " + token;
    }

    /** Sends a call. Its answer is still to be read. */
    HttpURLConnection post(URI to, byte[] call, String streamId, int readMillis) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) to.toURL().openConnection();
        SSLSocketFactory own = trust;
        if (own != null && connection instanceof HttpsURLConnection) {
            ((HttpsURLConnection) connection).setSSLSocketFactory(own);
        }
        connection.setRequestMethod("POST");
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        connection.setConnectTimeout(CONNECT_MILLIS);
        connection.setReadTimeout(readMillis);
        connection.setDoOutput(true);
        // With a fixed length Java does not repeat a POST whose answer did not arrive: a launch must not be sent twice.
        connection.setFixedLengthStreamingMode(call.length);
        connection.setRequestProperty("Content-Type", PROTOBUF);
        connection.setRequestProperty("Accept", PROTOBUF);
        if (!authorization.isEmpty()) {
            connection.setRequestProperty("Authorization", authorization);
        }
        if (!streamId.isEmpty()) {
            connection.setRequestProperty(STREAM_ID, streamId);
        }
        try (OutputStream out = connection.getOutputStream()) {
            out.write(call);
        }
        return connection;
    }

    static int status(HttpURLConnection connection) throws IOException {
        try {
            return connection.getResponseCode();
        } catch (HttpRetryException e) {
            // Java's word for 401 here.
            return e.responseCode();
        }
    }

    /** Sends a call and reads the whole answer. */
    Answer call(URI to, byte[] call, String streamId, int readMillis) throws IOException {
        HttpURLConnection connection = post(to, call, streamId, readMillis);
        int status = status(connection);
        return new Answer(status, text(connection, status));
    }

    static String text(HttpURLConnection connection, int status) throws IOException {
        try (InputStream body = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            if (body == null) {
                return "";
            }
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            byte[] part = new byte[4096];
            for (int count = body.read(part); count >= 0; count = body.read(part)) {
                text.write(part, 0, count);
            }
            return new String(text.toByteArray(), StandardCharsets.UTF_8);
        }
    }

    /**
     * Ends an event stream, also while another thread reads it. Java closes such a stream only after the read in
     * progress, that is with the next event or heartbeat; the caller does not wait for that.
     */
    static void closeLater(HttpURLConnection connection) {
        Thread closer = new Thread(connection::disconnect, "offers-close");
        closer.setDaemon(true);
        closer.start();
    }
}
