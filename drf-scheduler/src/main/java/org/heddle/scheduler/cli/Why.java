// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code heddle why}. */
@Command(
        name = "why",
        mixinStandardHelpOptions = true,
        description = "Says why an application has not got the containers that it asks for.")
final class Why implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec command;

    @Parameters(index = "0", paramLabel = "APPLICATION", description = "application_1700000000000_0042")
    @SuppressWarnings("NullAway.Init")
    private String application;

    @Option(
            names = "--rm",
            paramLabel = "URL",
            defaultValue = "${env:HEDDLE_RM:-http://localhost:8088}",
            description = "the ResourceManager's web address; HEDDLE_RM where absent, else ${DEFAULT-VALUE}")
    @SuppressWarnings("NullAway.Init")
    private String resourceManager;

    @Option(names = "--user", paramLabel = "NAME", description = "user.name where simple authentication asks for one")
    private String user = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!application.matches("application_\\d+_\\d+")) {
            throw new IOException(application + " is no application id; they look like application_1700000000000_0042");
        }
        String query = user.isEmpty() ? "" : "?user.name=" + user;
        URI uri = URI.create(
                resourceManager.replaceAll("/+$", "") + "/heddle/v1/applications/" + application + "/why" + query);
        HttpRequest request = HttpRequest.newBuilder(uri)
                .header("Accept", "text/plain")
                .timeout(PATIENCE)
                .build();
        try {
            HttpResponse<String> answer = HttpClient.newBuilder()
                    .followRedirects(HttpClient.Redirect.NORMAL)
                    .connectTimeout(PATIENCE)
                    .build()
                    .send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IOException(answer.statusCode() + " from " + uri + ": "
                        + answer.body().strip().replaceAll("\\s+", " "));
            }
            command.commandLine().getOut().print(answer.body());
            command.commandLine().getOut().flush();
            return 0;
        } catch (ConnectException e) {
            throw new IOException(
                    "nobody answers at " + resourceManager + "; give the ResourceManager's web address with --rm", e);
        }
    }
}
