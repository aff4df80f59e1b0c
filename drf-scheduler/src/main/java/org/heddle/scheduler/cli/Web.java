// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.heddle.settings.Clocks;
import org.jspecify.annotations.Nullable;

/** Requests to a daemon's web server. Sends a Kerberos ticket if the server demands one; follows no redirection. */
final class Web {
    private final int patienceMillis;
    private final String user;
    private final Clocks clocks;

    /**
     * @param user the user.name for simple authentication; empty for none
     * @param clocks of this machine, with which those of the daemons are compared
     */
    Web(int patienceMillis, String user, Clocks clocks) {
        this.patienceMillis = patienceMillis;
        this.user = user;
        this.clocks = clocks;
    }

    /**
     * An answer.
     *
     * @param status of HTTP
     * @param json the body; empty unless the status is 200 and the body is a JSON object
     * @param aheadMillis by how much the daemon's clock is ahead of this machine's, in ms; 0 if it does not say the time
     */
    record Answer(int status, Map<String, Object> json, long aheadMillis) {
        boolean isOk() {
            return status == HttpURLConnection.HTTP_OK;
        }

        boolean wantsLogin() {
            return status == HttpURLConnection.HTTP_UNAUTHORIZED || status == HttpURLConnection.HTTP_FORBIDDEN;
        }
    }

    /** @throws IOException one sentence if there is no answer, or not one of a Hadoop daemon */
    Answer get(String url, String path) throws IOException {
        String query = user.isEmpty() ? "" : (path.contains("?") ? "&" : "?") + "user.name=" + user;
        URI uri;
        try {
            uri = URI.create(url.replaceAll("/+$", "") + path + query);
        } catch (IllegalArgumentException e) {
            throw new IOException(url + " is not an address", e);
        }
        if (uri.getScheme() == null || !uri.getScheme().startsWith("http")) {
            throw new IOException(url + " is not an address; an example is http://rm1:8088");
        }
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        connection.setRequestProperty("Accept", "application/json");
        connection.setConnectTimeout(patienceMillis);
        connection.setReadTimeout(patienceMillis);
        connection.setInstanceFollowRedirects(false);
        try {
            int status = connection.getResponseCode();
            long date = connection.getDate();
            return new Answer(
                    status,
                    status == HttpURLConnection.HTTP_OK ? json(text(connection.getInputStream())) : Map.of(),
                    date == 0 ? 0 : date - clocks.date());
        } finally {
            connection.disconnect();
        }
    }

    /** Parses a body; empty if it is not JSON. */
    private static Map<String, Object> json(String body) throws IOException {
        try {
            return Json.parse(body);
        } catch (JsonProcessingException e) {
            return Map.of();
        }
    }

    private static String text(@Nullable InputStream stream) throws IOException {
        try (InputStream in = stream) {
            return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
