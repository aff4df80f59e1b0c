// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.heddle.frameworks.fixture.BridgedCluster;
import org.heddle.frameworks.fixture.Command;
import org.heddle.frameworks.fixture.Farm;
import org.heddle.testkit.Await;
import org.heddle.testkit.jobs.CpuHog;
import org.heddle.testkit.jobs.WebClients;
import org.heddle.testkit.jobs.WebPage;
import org.heddle.testkit.machine.SystemPackage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The web farm under load beside a framework that uses all processor time that it gets, as in Figure 8 of Nexus. How
 * long pages take depends on the machine: the experiment web-farm measures it.
 */
@Tag("soak")
class WebFarmLoadIT {
    private static final Duration LONG = Duration.ofSeconds(90);
    /** About a tenth of a second of processor time. */
    private static final int PAGE_BYTES = 3_000_000;

    @RegisterExtension
    static final BridgedCluster cluster = new BridgedCluster(BridgedCluster.twoNodes());

    @TempDir
    Path home;

    @Test
    void besideAHogItGrowsAndShrinksWithoutADroppedConnection() throws Exception {
        SystemPackage.require("mpiexec.hydra", "mpich");
        String location = WebPage.write(home, PAGE_BYTES);
        try (Farm farm = new Farm(
                cluster.bridge(), home, "--sessions=2", "--most=2", "--calm=2", "--cpus=1", "--location=" + location)) {
            farm.awaitServing(1);
            assumeThat(page("/console/data")).as("what limits tasks").contains("\"limits\":\"cgroups\"");
            try (Command hog = cluster.bridge()
                    .start(home, "mpiexec", CpuHog.options(2, "0.25", 2_200).toArray(new String[0]))) {
                hog.awaitText(CpuHog.UP + "\n" + CpuHog.UP, LONG);
                load(farm);
                assertThat(hog.isAlive()).as(hog.text()).isTrue();
            }
            Await.until("all processes of the hog to end", LONG, WebFarmLoadIT::noHog);
        }
    }

    private static boolean noHog() {
        return ProcessHandle.allProcesses()
                .noneMatch(one -> one.info().commandLine().orElse("").contains(CpuHog.UP));
    }

    /** The farm grows to two servers, and shrinks. */
    private static void load(Farm farm) {
        for (int clients : new int[] {1, 4, 1}) {
            try (WebClients some = farm.clients(WebPage.PATH, clients, Duration.ofMillis(100))) {
                farm.awaitServing(clients == 1 ? 1 : 2);
                int before = some.requests().size();
                Await.until("pages", LONG, () -> some.requests().size() >= before + 25 * clients);
                assertThat(some.dropped()).as(farm.text()).isEmpty();
            }
        }
    }

    private static String page(String path) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(cluster.bridge().address().resolve(path)).build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
