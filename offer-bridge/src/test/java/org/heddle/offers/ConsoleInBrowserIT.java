// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.TaskState;
import org.heddle.offers.fixture.TestBridges;
import org.heddle.offers.fixture.WireClient;
import org.heddle.offers.wire.Encoding;
import org.heddle.scheduler.http.Browser;
import org.heddle.testkit.HeddleCluster;
import org.heddle.testkit.machine.SystemPackage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The console over a real cluster, looked at by a browser. The pictures stay in {@code target/pages}. */
class ConsoleInBrowserIT {
    private static final Path PICTURES = Path.of("target", "pages");
    private static final String TRAP = "<img src=x onerror=alert(1)>";

    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .nodes(2, Map.of("memory-mb", 4096L, "vcores", 4L))
            // CapacityScheduler counts each application's master, though ours have no container.
            .property("yarn.scheduler.capacity.maximum-am-resource-percent", "1.0")
            .build();

    @Test
    void whatFrameworksDoIsThereAndFollowsThem(@TempDir Path directory) throws Exception {
        Path chromium = SystemPackage.require("chromium");
        Files.createDirectories(PICTURES);
        // The browser first: on a busy machine it starts for longer than an offer is valid
        try (Browser browser = new Browser(chromium, directory.resolve("profile"));
                Bridge bridge = Bridge.start(TestBridges.settings(directory, 0, 0), cluster.configuration());
                WireClient busy = new WireClient(bridge.httpAddress(), Encoding.PROTOBUF)
                        .subscribe(WireClient.info("busy").build());
                WireClient trap = new WireClient(bridge.httpAddress(), Encoding.JSON)
                        .subscribe(WireClient.info(TRAP).build())) {
            Offer offer = busy.awaitOffer();
            busy.launch(
                    offer,
                    600,
                    WireClient.task("greeter", offer, "echo hello from the sandbox; sleep 600", 0.5, 128),
                    WireClient.task("sleeper", offer, "sleep 600", 0.25, 64),
                    WireClient.task("done", offer, "echo '" + TRAP + "'", 0.1, 32),
                    WireClient.task("failed", offer, "cat /nonexistent; exit 3", 0.1, 32));
            busy.awaitStatus("greeter", TaskState.TASK_RUNNING);
            busy.awaitStatus("done", TaskState.TASK_FINISHED);
            busy.awaitStatus("failed", TaskState.TASK_FAILED);
            trap.awaitOffer();

            browser.size(1440, 1800);
            browser.open(URI.create("http://127.0.0.1:" + bridge.httpAddress().getPort() + "/"));
            browser.await("document.querySelectorAll('#tasks tbody button').length === 2");
            browser.await("document.querySelectorAll('#chart path.line').length === 2");
            assertThat(text(browser, "#when")).matches("as of \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC.*, up .*");
            assertThat(text(browser, ".scale")).contains("100 %", "50 %");
            assertThat(text(browser, "#times")).containsPattern("\\d\\d:\\d\\d:\\d\\d");
            assertThat(text(browser, "#frameworks")).contains("busy", TRAP);
            // Nobody answers them: they expire, and others come
            browser.await("document.querySelector('#offers').innerText.includes('CPU')");
            assertThat(text(browser, "#agents")).contains("node1", "usable");
            browser.evaluate("document.querySelector('[aria-label=\"Sandbox of greeter\"]').click()");
            browser.await("document.querySelectorAll('#files button').length > 1");
            browser.evaluate("[...document.querySelectorAll('#files button')]"
                    + ".find(one => one.innerText === 'stdout').click()");
            browser.await("document.querySelector('#content').innerText.includes('hello from the sandbox')");
            browser.evaluate("document.querySelector('[aria-label=\"Output of done\"]').click()");
            browser.await("document.querySelector('#content').innerText.includes('" + TRAP + "')");
            browser.screenshot(PICTURES.resolve("offers-console.png"));
            browser.dark(true);
            browser.screenshot(PICTURES.resolve("offers-dark.png"));
            browser.dark(false);

            busy.send(org.apache.mesos.v1.scheduler.Protos.Call.newBuilder()
                    .setType(org.apache.mesos.v1.scheduler.Protos.Call.Type.TEARDOWN));
            browser.await("!document.querySelector('#frameworks').innerText.includes('busy')");
            assertThat(text(browser, "#legend")).contains("busy", TRAP);
            assertThat(text(browser, "#ended")).contains("greeter", "killed", "failed", "exited with status 3");
            browser.size(390, 2600);
            browser.await("document.documentElement.scrollWidth <= 390");
            browser.screenshot(PICTURES.resolve("offers-phone.png"));
            assertThat(browser.evaluate("document.querySelectorAll('img').length")
                            .asInt())
                    .isZero();
            assertThat(browser.complaints()).isEmpty();
        }
    }

    private static String text(Browser browser, String selector) throws InterruptedException {
        return browser.evaluate("document.querySelector('" + selector + "').innerText")
                .asText();
    }
}
