// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code heddle why}. */
@Command(
        name = "why",
        mixinStandardHelpOptions = true,
        description = "Shows why an application does not get the containers that it requests.")
final class Why implements Callable<Integer> {
    private static final int PATIENCE_MILLIS = 20_000;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec command;

    @Parameters(index = "0", paramLabel = "APPLICATION", description = "application_1700000000000_0042")
    @SuppressWarnings("NullAway.Init")
    private String application;

    @Option(
            names = "--rm",
            paramLabel = "URL",
            defaultValue = "http://localhost:8088",
            description = "the ResourceManager's web address; HEDDLE_RM where absent, else ${DEFAULT-VALUE}")
    @SuppressWarnings("NullAway.Init")
    private String resourceManager;

    @Option(
            names = "--user",
            paramLabel = "NAME",
            description = "the user.name parameter, for a cluster with simple authentication")
    private String user = "";

    @Override
    public Integer call() throws IOException {
        if (!application.matches("application_\\d+_\\d+")) {
            throw new IOException(
                    application + " is not an application id; an example is application_1700000000000_0042");
        }
        String query = user.isEmpty() ? "" : "?user.name=" + user;
        URI uri = URI.create(
                resourceManager.replaceAll("/+$", "") + "/heddle/v1/applications/" + application + "/why" + query);
        try {
            HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
            connection.setRequestProperty("Accept", "text/plain");
            connection.setConnectTimeout(PATIENCE_MILLIS);
            connection.setReadTimeout(PATIENCE_MILLIS);
            int status = connection.getResponseCode(); // sends a Kerberos ticket if the server demands one
            if (status != HttpURLConnection.HTTP_OK) {
                throw new IOException(status + " from " + uri + ": "
                        + text(connection.getErrorStream()).strip().replaceAll("\\s+", " "));
            }
            command.commandLine().getOut().print(text(connection.getInputStream()));
            command.commandLine().getOut().flush();
            return 0;
        } catch (ConnectException e) {
            throw new IOException(
                    "no answer from " + resourceManager + "; give the ResourceManager's web address with --rm", e);
        }
    }

    private static String text(@Nullable InputStream stream) throws IOException {
        try (InputStream in = stream) {
            return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
