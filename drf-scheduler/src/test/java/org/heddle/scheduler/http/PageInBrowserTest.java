// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.heddle.scheduler.snapshot.ConfigurationChange;
import org.heddle.scheduler.snapshot.History;
import org.heddle.scheduler.snapshot.NodeReport;
import org.heddle.scheduler.snapshot.Waiting;
import org.heddle.testkit.machine.SystemPackage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both pages, looked at by a browser. The pictures stay in {@code target/pages}. */
@Tag("newer-line")
class PageInBrowserTest {
    private static final int APPLICATIONS = 1_000;
    private static final String LOADED = "document.querySelectorAll('#tree .entry').length > 1";

    private static final Path PICTURES = Path.of("target", "pages");

    @TempDir
    static Path profile;

    @SuppressWarnings("NullAway.Init") // set by startBrowser
    private static Browser browser;

    private WebServer server;

    @BeforeAll
    static void startBrowser() throws Exception {
        Path chromium = SystemPackage.require("chromium");
        Files.createDirectories(PICTURES);
        browser = new Browser(chromium, profile);
    }

    @AfterAll
    static void stopBrowser() {
        if (browser != null) {
            browser.close();
        }
    }

    @BeforeEach
    void start() throws Exception {
        server = new WebServer(Map.of());
        browser.dark(false);
        browser.forgetComplaints();
    }

    @AfterEach
    void stop() throws Exception {
        browser.open(URI.create("about:blank")); // the page asks its server no more
        server.close();
    }

    @Test
    void aThousandApplicationsAndATrapAreReadableOnAPhoneAndOnADesk() throws Exception {
        server.show(Snapshots.of(APPLICATIONS, Snapshots.PROBLEM));
        browser.size(360, 800);
        browser.open(server.uri("/heddle/"));
        browser.await(LOADED);

        assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
                .isLessThanOrEqualTo(360);
        assertThat(browser.evaluate("document.querySelector('#problem').innerText")
                        .asText())
                .contains("still in force", Snapshots.PROBLEM);
        assertThat(browser.evaluate("document.querySelector('#tree').innerText").asText())
                .contains(Snapshots.TRAP, "alice", "42 % of memory-mb", "fair 50 %", "asks for 170 %", "weight 3");
        assertThat(browser.evaluate("[...document.scripts].every(s => s.src.startsWith(location.origin))")
                        .asBoolean())
                .as("no script but the scheduler's own files")
                .isTrue();
        browser.screenshot(PICTURES.resolve("phone.png"));

        browser.evaluate("document.querySelector('[aria-label=\"What is below alice\"]').click()");
        assertThat(browser.evaluate("document.querySelectorAll('.application').length")
                        .asInt())
                .isEqualTo(20);
        browser.size(360, 3_000);
        browser.screenshot(PICTURES.resolve("phone-applications.png"));
        browser.evaluate(
                "[...document.querySelectorAll('button')].find(b => b.textContent === 'and 979 more').click()");
        browser.await("document.querySelectorAll('.application').length === 220");
        browser.evaluate(
                "[...document.querySelectorAll('button')].find(b => b.textContent === 'and 779 more').click()");
        browser.await("document.querySelectorAll('.application').length === 420");
        assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
                .isLessThanOrEqualTo(360);

        browser.size(1280, 900);
        browser.open(server.uri("/heddle/"));
        browser.await(LOADED);
        browser.screenshot(PICTURES.resolve("page.png"));
        assertThat(Accessibility.findingsInAllForms(browser)).isEmpty();
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void queuesNodesPreemptionsAndConfigurationAreTables() throws Exception {
        server.show(Snapshots.of(APPLICATIONS, null));
        List<NodeReport> nodes = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            nodes.add(new NodeReport(
                    "node-" + i + ".example:8041",
                    i % 2 == 0 ? "gpu" : "",
                    Map.of("memory-mb", 16_384L, "vcores", 16L),
                    Map.of("memory-mb", 1_024L * (i % 16), "vcores", (long) (i % 16)),
                    i % 16,
                    i == 7 ? "application_1700000000000_0007" : "",
                    i == 8 ? "application_1700000000000_0001" : ""));
        }
        long now = 1_700_000_000_000L;
        server.show(
                List.of(
                        new ConfigurationChange(now, List.of()),
                        new ConfigurationChange(
                                now + 600_000, List.of("root.science:weight: 3, was 2", Snapshots.TRAP + ": queue"))),
                nodes);
        List<History.Sample> samples = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            samples.add(new History.Sample(now + i * 5_000L, Map.of("root", 0.7, "root.science", 0.3 + i / 1000.0)));
        }
        server.show(
                new Waiting("application_1700000000000_0009", "root.science", "alice", now, 0, 1, "", List.of()),
                new History(samples));
        browser.size(1280, 900);
        browser.open(server.uri("/heddle/"));
        browser.await(LOADED + " && document.querySelectorAll('#chart .readout .key').length > 0");
        assertThat(readout()).contains("another configuration, 2 differences");

        browser.evaluate("document.querySelector('#as-table').click()");
        String queue = "[...document.querySelectorAll('#queue-table tbody th')].map(h => h.innerText).join()";
        assertThat(browser.evaluate(queue).asText()).isEqualTo("root,root." + Snapshots.TRAP + ",root.science");
        browser.evaluate(
                "[...document.querySelectorAll('#queue-table thead button')].find(b => b.innerText === 'Waiting').click()");
        assertThat(browser.evaluate(queue).asText()).isEqualTo("root,root.science,root." + Snapshots.TRAP);
        browser.evaluate("{const s = document.querySelector('#search'); s.value = 'SCIENCE';"
                + " s.dispatchEvent(new Event('input')); 0}");
        assertThat(browser.evaluate(queue).asText()).isEqualTo("root.science");
        for (String section : List.of("nodes", "preemptions", "configuration")) {
            browser.evaluate("document.querySelector('#" + section + " summary').click()");
        }
        browser.await("document.querySelectorAll('#node-table tbody tr').length === 50"
                + " && document.querySelectorAll('#changes li').length === 2"
                + " && document.querySelectorAll('#preemption-table tbody tr').length === 1");
        assertThat(browser.evaluate("document.querySelector('#node-table tbody').innerText")
                        .asText())
                .as("reserved nodes come first")
                .matches("(?s).*node-7.*node-8.*preemption for application_1700000000000_0001.*node-0.*");
        assertThat(browser.evaluate("document.querySelector('#preemptions').innerText")
                        .asText())
                .contains("1 under way", "below its share", Snapshots.TRAP + ", mallory: to-go");
        assertThat(browser.evaluate("document.querySelector('#changes').innerText")
                        .asText())
                .contains("root.science:weight: 3, was 2", Snapshots.TRAP, "first configuration");
        browser.size(1280, 2_400);
        browser.screenshot(PICTURES.resolve("tables.png"));
        browser.dark(true);
        browser.screenshot(PICTURES.resolve("tables-dark.png"));
        browser.dark(false);
        assertThat(Accessibility.findingsInAllForms(browser)).isEmpty();
        browser.size(360, 3_000);
        assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
                .isLessThanOrEqualTo(360);
        browser.screenshot(PICTURES.resolve("tables-phone.png"));

        browser.evaluate("document.querySelector('#queue-table tbody button').click()");
        // The applications of the queue that was clicked: none of them matched the search.
        browser.await("document.querySelectorAll('#tree .application').length > 0");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void usageIsReadableOnAPhoneAndOnADesk() throws Exception {
        server.show(UsageWebTest.hour());
        browser.size(360, 800);
        browser.open(server.uri("/heddle/usage?by=user,application,name&from=2026-11-01&to=2026-11-30"));
        browser.await("document.querySelectorAll('tbody tr').length === 2");
        assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
                .isLessThanOrEqualTo(360);
        browser.screenshot(PICTURES.resolve("phone-usage.png"));
        browser.size(1280, 700);
        browser.open(server.uri("/heddle/usage?by=user,application,name&from=2026-11-01&to=2026-11-30"));
        browser.await("document.querySelectorAll('tbody tr').length === 2");
        browser.screenshot(PICTURES.resolve("usage.png"));
        assertThat(Accessibility.findingsInAllForms(browser)).isEmpty();
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void aThousandApplicationsAreSearchedExplainedAndDrawnOverTime() throws Exception {
        server.show(Snapshots.of(APPLICATIONS, null));
        List<History.Sample> samples = new ArrayList<>();
        for (int i = 0; i < 720; i++) {
            double wave = 0.4 + 0.3 * Math.sin(i / 60.0);
            samples.add(new History.Sample(
                    1_700_000_000_000L + i * 5_000L,
                    Map.of("root", 0.72, "root.science", wave, "root." + Snapshots.TRAP, 0.72 - wave)));
        }
        server.show(
                new Waiting(
                        "application_1700000000000_0007",
                        "root.science",
                        "alice",
                        1_700_000_000_000L,
                        1,
                        4,
                        "not enough free resources",
                        List.of(
                                new Waiting.Reason(
                                        Waiting.Kind.INSUFFICIENT_RESOURCES,
                                        4,
                                        7,
                                        "4 x 4096 memory-mb, 1 vcores: not enough free resources for a container of"
                                                + " this size on 7 of 10 nodes; the most that is free on one is 2048"
                                                + " memory-mb, 6 vcores"),
                                new Waiting.Reason(
                                        Waiting.Kind.RESERVED,
                                        4,
                                        3,
                                        "3 of 10 nodes are reserved <script>alert(2)</script>"))),
                new History(samples));
        browser.size(1280, 1_100);
        browser.open(server.uri("/heddle/"));
        browser.await(LOADED + " && document.querySelectorAll('#chart .readout .key').length === 2");
        assertThat(readout()).startsWith("now").contains("root.science", Snapshots.TRAP);
        browser.evaluate("document.querySelector('#chart .plot').dispatchEvent("
                + "new KeyboardEvent('keydown', {key: 'ArrowLeft'}))");
        browser.await("document.querySelector('#chart .readout').innerText.startsWith('2023-11-1')");
        assertThat(readout()).as("the last sample but one").matches("(?s)2023-11-1.* UTC.*");
        browser.evaluate("document.querySelector('#chart .ranges button').click()");
        assertThat(browser.evaluate("document.querySelector('#chart [aria-pressed=true]').innerText")
                        .asText())
                .isEqualTo("10 min");

        browser.evaluate("{const s = document.querySelector('#search'); s.value = '_0007';"
                + " s.dispatchEvent(new Event('input')); 0}");
        browser.await("document.querySelectorAll('.application').length === 1");
        browser.evaluate("document.querySelector('.ask').click()");
        browser.await("document.querySelectorAll('.why li').length === 2");
        assertThat(browser.evaluate("document.querySelector('.why').innerText").asText())
                .contains(
                        "not enough free resources for a container of this size on 7 of 10 nodes",
                        "Way out: wait until containers end, ask for smaller ones, or add nodes",
                        "<script>alert(2)</script>");
        browser.screenshot(PICTURES.resolve("why.png"));
        browser.size(360, 1_400);
        assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
                .isLessThanOrEqualTo(360);
        browser.screenshot(PICTURES.resolve("why-phone.png"));

        browser.evaluate("{const s = document.querySelector('#search'); s.value = 'application';"
                + " s.dispatchEvent(new Event('input')); 0}");
        browser.await("document.querySelector('#found').textContent.startsWith('The first 100 lines')");
        assertThat(browser.complaints()).isEmpty();
    }

    private String readout() throws InterruptedException {
        return browser.evaluate("document.querySelector('#chart .readout').innerText")
                .asText();
    }

    /** Applications 3, 9, 15.. cannot be served; all other schedulables but the idle one merely wait for their turn. */
    @Test
    void waitingForOnesTurnIsNoAlarm() throws Exception {
        server.show(Snapshots.of(20, null));
        browser.size(1280, 900);
        browser.open(server.uri("/heddle/"));
        browser.await(LOADED);
        assertThat(browser.evaluate("document.querySelectorAll('.obstacle').length")
                        .asInt())
                .as("queues and users of a full cluster")
                .isZero();
        assertThat(browser.evaluate("document.querySelector('#tree').innerText").asText())
                .contains("waits for its turn")
                .doesNotContain("blocked");
        assertThat(browser.evaluate(
                                "document.querySelectorAll('[data-path$=\"-indeed\"] .track:is(.memory, .cpu)').length")
                        .asInt())
                .as("who has nothing has no other dominant resource than memory and cores")
                .isEqualTo(1);

        browser.evaluate("document.querySelector('[aria-label=\"What is below alice\"]').click()");
        assertThat(browser.evaluate("[...document.querySelectorAll('.obstacle')].map(o => o.innerText).join()")
                        .asText())
                .isEqualTo(String.join(
                        ",",
                        "cannot be served: " + Snapshots.OBSTACLE,
                        "cannot be served: " + Snapshots.OBSTACLE,
                        "cannot be served: " + Snapshots.OBSTACLE));
        String soft = "getComputedStyle(document.querySelector('.figures')).color";
        assertThat(browser.evaluate("[...document.querySelectorAll('.kind')].filter("
                                + "k => k.textContent === 'waits for its turn' && getComputedStyle(k).color !== " + soft
                                + ").length")
                        .asInt())
                .as("in the colour of what is no alarm")
                .isZero();
        browser.screenshot(PICTURES.resolve("waiting.png"));
        assertThat(browser.complaints()).isEmpty();
    }

    /** How much waits and why comes before all figures, on every screen; and everything has a name to be found by. */
    @Test
    void theOneThingComesFirst() throws Exception {
        server.show(Snapshots.of(200, null));
        server.show(
                new Waiting(
                        "application_1700000000000_0200",
                        "root.science",
                        "alice",
                        1_700_000_000_000L,
                        0,
                        4,
                        "",
                        List.of(new Waiting.Reason(
                                Waiting.Kind.MASTERS_SHARE,
                                4,
                                0,
                                "1 x 1024 memory-mb, 1 vcores for its ApplicationMaster: waiting for an ApplicationMaster"
                                        + " of queue root.science to end: together they may hold at most 0.5 of what the"
                                        + " queue is entitled to; they hold 4096 memory-mb, 4 vcores of at most 4096"
                                        + " memory-mb, 4 vcores"))),
                History.EMPTY);
        for (int width : new int[] {390, 1_024, 1_440}) {
            browser.size(width, 1_000);
            browser.open(server.uri("/heddle/"));
            browser.await(LOADED + " && document.querySelector('#waiting strong') !== null");
            assertThat(browser.evaluate("document.querySelector('#waiting').innerText")
                            .asText())
                    .startsWith("800 containers wait")
                    .contains("asked for by 200 applications", "at most 4096 memory-mb", "Way out: wait until another");
            assertThat(browser.evaluate("document.querySelector('main h1 ~ section').id")
                            .asText())
                    .isEqualTo("waiting");
            look("waiting-" + width, width);
            browser.evaluate("document.querySelector('#as-table').click()");
            browser.await("document.querySelectorAll('#queue-table tbody tr').length === 3");
            look("limits-" + width, width);
        }
        assertThat(browser.evaluate("{const t = document.querySelector('#queue-table .table');"
                                + " t.scrollWidth <= t.clientWidth}")
                        .asBoolean())
                .as("nothing is cut off at 1,440 px")
                .isTrue();
        browser.evaluate("document.querySelector('#as-tree').click()");
        for (String name : List.of("alice", "FINANCE", "nightly-etl-7", "root.science", "_0199")) {
            browser.evaluate("{const s = document.querySelector('#search'); s.value = '" + name
                    + "'; s.dispatchEvent(new Event('input')); 0}");
            browser.await("document.querySelectorAll('#tree .application').length > 0");
            assertThat(browser.evaluate("document.querySelector('#tree .application').innerText")
                            .asText())
                    .contains("nightly-etl-", "finance");
        }
        server.show(Snapshots.idle());
        browser.open(server.uri("/heddle/"));
        browser.await(LOADED + " && document.querySelector('#waiting strong') !== null");
        assertThat(browser.evaluate("document.querySelector('#waiting').innerText")
                        .asText())
                .isEqualTo("Nothing waits");
        look("nothing-waits", 1_440);
        assertThat(Accessibility.findingsInAllForms(browser)).isEmpty();
        assertThat(browser.complaints()).isEmpty();
    }

    private void look(String name, int width) throws Exception {
        assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
                .isLessThanOrEqualTo(width);
        browser.screenshot(PICTURES.resolve(name + ".png"));
        browser.dark(true);
        browser.screenshot(PICTURES.resolve(name + "-dark.png"));
        browser.dark(false);
    }

    @Test
    void itFollowsTheSchedulerWithoutBeingReloaded() throws Exception {
        server.show(Snapshots.of(3, Snapshots.PROBLEM));
        browser.size(1280, 900);
        browser.open(server.uri("/heddle/"));
        browser.await(LOADED + " && !document.querySelector('#problem').hidden");

        server.show(Snapshots.of(3, null));

        browser.await("document.querySelector('#problem').hidden");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void theResourceManagersOwnPageShowsTheBars() throws Exception {
        server.show(Snapshots.of(APPLICATIONS, Snapshots.PROBLEM));
        browser.size(1280, 900);
        browser.open(server.uri("/cluster/scheduler"));
        browser.await("document.readyState === 'complete' && document.querySelectorAll('#heddle .track').length === 6");

        double track = browser.evaluate("document.querySelector('#heddle .track').getBoundingClientRect().width")
                .asDouble();
        double held = browser.evaluate("document.querySelector('#heddle .held').getBoundingClientRect().width")
                .asDouble();
        assertThat(held / track).isBetween(0.71, 0.73);
        assertThat(browser.evaluate("document.querySelector('#heddle').innerText")
                        .asText())
                .contains(Snapshots.TRAP, Snapshots.PROBLEM);
        browser.screenshot(PICTURES.resolve("resourcemanager.png"));
    }
}
