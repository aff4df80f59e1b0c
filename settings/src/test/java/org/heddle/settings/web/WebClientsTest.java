// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.heddle.settings.ProjectSources;
import org.junit.jupiter.api.Test;

/**
 * One client for all: whoever needs another one says here why. It looks at the sources, so that no module can forget
 * it.
 */
class WebClientsTest {
    private static final Pattern CLIENT = Pattern.compile("HttpClient\\.new|HttpURLConnection\\b|\\.openConnection\\(");

    private static final Pattern OTHERS = Pattern.compile("(testkit|acceptance|benchmarks|demos)/.*");

    @Test
    void onlyTheseSendRequestsByThemselves() throws IOException {
        Set<String> found = new TreeSet<>(
                ProjectSources.java(source -> CLIENT.matcher(source).find()));
        found.removeIf(name -> OTHERS.matcher(name).matches());
        assertThat(found)
                .as("another HTTP client: use WebClient")
                .containsExactlyInAnyOrder(
                        "settings/src/main/java/org/heddle/settings/web/WebClient.java",
                        // A resource of the class path or a file, not only the web.
                        "drf-scheduler/src/main/java/org/heddle/scheduler/config/SpecLocation.java",
                        // The streams of Mesos' protocol, in a library for frameworks on Java 8.
                        "offer-bridge/client/src/main/java/org/heddle/offers/client/protocol/ExecutorConnection.java",
                        "offer-bridge/client/src/main/java/org/heddle/offers/client/protocol/HttpTransport.java",
                        "offer-bridge/client/src/main/java/org/heddle/offers/client/protocol/SchedulerConnection.java",
                        // In Spark's driver, with the trust store of its master's URL.
                        "offer-bridge/frameworks/spark/src/main/java/org/heddle/offers/spark/NodeSizes.java",
                        // On nodes where nothing else of ours is: Mesos' health checks, and what a task fetches.
                        "offer-bridge/src/main/java/org/heddle/offers/agent/HealthChecker.java",
                        "offer-bridge/src/main/java/org/heddle/offers/agent/Fetch.java",
                        // A jar of its own class path.
                        "offer-bridge/src/main/java/org/heddle/offers/yarn/AgentJar.java");
    }
}
