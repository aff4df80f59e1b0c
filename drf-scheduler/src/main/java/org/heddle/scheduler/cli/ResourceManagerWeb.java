// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options by which a command finds a ResourceManager, and requests to it. */
public final class ResourceManagerWeb {
    private static final int PATIENCE_MILLIS = 20_000;

    @Option(
            names = "--rm",
            paramLabel = "URL",
            defaultValue = "http://localhost:8088",
            description = "the ResourceManager's web address; HEDDLE_RM where absent, else ${DEFAULT-VALUE}")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String resourceManager;

    @Option(
            names = "--user",
            paramLabel = "NAME",
            description = "the user.name parameter, for a cluster with simple authentication")
    private String user = "";

    String get(String path, Map<String, String> parameters, String accept) throws IOException {
        return get(resourceManager, user, path, parameters, accept);
    }

    /**
     * The body of an answer.
     *
     * @param resourceManager its web address
     * @param user the user.name parameter, for a cluster with simple authentication; empty for none
     * @param path below the web address
     * @param accept the media type that is wanted
     * @throws IOException one sentence, with the server's own words if it refuses
     */
    public static String get(
            String resourceManager, String user, String path, Map<String, String> parameters, String accept)
            throws IOException {
        StringBuilder query = new StringBuilder();
        parameters.forEach((name, value) -> append(query, name, value));
        if (!user.isEmpty()) {
            append(query, "user.name", user);
        }
        URI uri;
        try {
            uri = new URI(resourceManager.replaceAll("/+$", "") + path + query);
        } catch (URISyntaxException e) {
            throw new IOException(resourceManager + " is not an address; an example is http://rm1:8088", e);
        }
        if (uri.getScheme() == null || !uri.getScheme().startsWith("http")) {
            throw new IOException(resourceManager + " is not an address; an example is http://rm1:8088");
        }
        try {
            HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
            connection.setRequestProperty("Accept", accept);
            connection.setConnectTimeout(PATIENCE_MILLIS);
            connection.setReadTimeout(PATIENCE_MILLIS);
            int status = connection.getResponseCode(); // sends a Kerberos ticket if the server demands one
            if (status != HttpURLConnection.HTTP_OK) {
                String reason = status == HttpURLConnection.HTTP_UNAUTHORIZED
                        ? "it requires authentication; run kinit, or give --user"
                        : text(connection.getErrorStream()).strip().replaceAll("\\s+", " ");
                throw new IOException(status + " from " + uri + ": " + reason);
            }
            return text(connection.getInputStream());
        } catch (ConnectException | UnknownHostException e) {
            throw new IOException(
                    "no answer from " + resourceManager + "; give the ResourceManager's web address with --rm", e);
        }
    }

    private static void append(StringBuilder query, String name, String value) {
        query.append(query.length() == 0 ? '?' : '&');
        query.append(name).append('=').append(URLEncoder.encode(value, StandardCharsets.UTF_8));
    }

    private static String text(@Nullable InputStream stream) throws IOException {
        try (InputStream in = stream) {
            return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
