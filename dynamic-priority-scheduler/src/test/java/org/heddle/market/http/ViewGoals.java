// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.heddle.market.TestTerms;
import org.heddle.market.http.config.WebKeys;
import org.heddle.market.ledger.PastOfMarket;
import org.heddle.market.ledger.journal.JournalStore;
import org.heddle.market.security.KeyRing;
import org.heddle.market.security.MasterKeys;
import org.heddle.market.security.RequestParts;
import org.heddle.market.security.RequestSigner;
import org.heddle.market.yarn.MarketKeys;
import org.heddle.scheduler.http.Browser;
import org.heddle.testkit.Ask;
import org.heddle.testkit.HeddleCluster;
import org.heddle.testkit.TestApplication;
import org.heddle.testkit.machine.SystemPackage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every view of a market with 1,000 accounts and the bills of a day takes less than 100 ms: REST and pages over HTTP,
 * and the views of the console from the click until they are drawn. Needs a quiet machine, so by hand, see
 * docs/testing.md.
 */
class ViewGoals {
    private static final int ACCOUNTS = 1_000;
    private static final long INTERVAL = 20_000;
    private static final int EPOCHS = 24 * 3_600_000 / (int) INTERVAL;
    private static final int WARM_UP = 20;
    private static final int REQUESTS = 100;
    /** Of each view of the console: their longest one must be in time. */
    private static final int DRAWS = 30;

    private static final double GOAL_MILLIS = 100;
    private static final String CLUSTER = "loom";
    private static final String API = "/heddle/market/v1/";

    @TempDir
    Path directory;

    private final HttpClient client = HttpClient.newHttpClient();
    private final MasterKeys masters = new MasterKeys(CLUSTER, MarketWebFixture.MASTER, List.of());
    private final byte[] secret = Objects.requireNonNull(masters.secret(KeyRing.operatorKey(masters)));
    private final RequestSigner operator =
            new RequestSigner(CLUSTER, KeyRing.OPERATOR + "/1", secret, new SecureRandom());
    private final List<String> slow = new ArrayList<>();
    private URI web = URI.create("http://127.0.0.1");

    @Test
    void everyViewOfAThousandAccountsTakesLessThanATenthOfASecond() throws Exception {
        Path chromium = SystemPackage.require("chromium");
        Path ledger = directory.resolve("ledger");
        List<String> accounts = new ArrayList<>(List.of("alice"));
        while (accounts.size() < ACCOUNTS) {
            accounts.add("team-" + accounts.size() % 40 + "-user-" + accounts.size());
        }
        new PastOfMarket(TestTerms.paper(CLUSTER, INTERVAL), new JournalStore(ledger, CLUSTER), accounts)
                .write(EPOCHS, System.currentTimeMillis());
        HeddleCluster cluster = HeddleCluster.builder()
                .scheduler(UnlimitedMarketScheduler.class.getName())
                .nodes(1, Map.of("memory-mb", 15_360L, "vcores", 15L))
                .users("alice")
                .property(MarketKeys.TRIAL.name(), "true")
                .property(MarketKeys.CLUSTER_ID.name(), CLUSTER)
                .property(MarketKeys.INTERVAL_MS.name(), String.valueOf(INTERVAL))
                .property(MarketKeys.STANDARD_SLOT.name(), "memory-mb=1024,vcores=1")
                .property(MarketKeys.STORE_DIRECTORY.name(), ledger.toString())
                .property(WebKeys.MASTER_KEY.name(), MarketWebFixture.MASTER)
                .build();
        cluster.start();
        try (TestApplication alice = TestApplication.start(cluster, "alice", "root.alice")) {
            web = URI.create(cluster.webAddress());
            alice.ask(Ask.of(30, Map.of("memory-mb", 1_024L, "vcores", 1L)));
            alice.heartbeat();
            firstLooks(accounts);
            answers();
            try (Browser browser = new Browser(chromium, directory.resolve("profile"))) {
                console(browser);
            }
        } finally {
            cluster.close();
        }
        assertThat(slow).as("views slower than %s ms", GOAL_MILLIS).isEmpty();
    }

    /** The first looks at the statements of a day, after a start that nobody asked for one before. */
    private void firstLooks(List<String> accounts) throws Exception {
        String day = "from=" + (System.currentTimeMillis() - 86_400_000);
        for (int i = 0; i < WARM_UP; i++) {
            answer("GET", API + "accounts/alice", ""); // the first requests load classes
        }
        double[] millis = new double[REQUESTS];
        for (int i = 0; i < REQUESTS; i++) {
            String account = accounts.get(1 + i * 7);
            millis[i] = answer("GET", API + "accounts/" + account + "/statement?most=1000&" + day, "");
        }
        System.out.printf(Locale.ROOT, "view: the first one of all statements %.1f ms%n", millis[0]);
        report("GET " + API + "accounts/{each}/statement?most=1000&from=a day ago, first look", millis);
    }

    private void answers() throws Exception {
        String day = "from=" + (System.currentTimeMillis() - 86_400_000);
        for (String path : List.of(
                "/heddle/market/",
                "/heddle/market/tables",
                "/heddle/market/openapi.json",
                "/scheduler?price",
                "/scheduler?time",
                API + "price",
                API + "time",
                API + "status",
                API + "prices?points=400&" + day,
                API + "forecast",
                API + "whoami",
                API + "accounts",
                API + "accounts/alice",
                API + "accounts/alice/statement",
                API + "accounts/alice/statement?most=1000&" + day,
                API + "accounts/alice/applications?most=1000&" + day,
                API + "accounts/alice/balances?points=400&" + day,
                API + "accounts/alice/rates?points=400&" + day,
                API + "incomes",
                API + "keys",
                API + "audit?most=200",
                API + "audit?most=200&before=1000000")) {
            time("GET", path, "");
        }
        time(
                "POST",
                API + "quotes",
                "{\"account\":\"alice\",\"rate\":\"0.5\",\"stages\":\"400x90s\",\"withinSeconds\":7200}");
    }

    private void time(String method, String path, String body) throws Exception {
        double[] millis = new double[REQUESTS];
        for (int i = -WARM_UP; i < REQUESTS; i++) {
            double took = answer(method, path, body);
            if (i >= 0) {
                millis[i] = took;
            }
        }
        report(method + " " + path.replaceAll("from=[0-9]+", "from=a day ago"), millis);
    }

    /** @return milliseconds */
    private double answer(String method, String path, String body) throws Exception {
        HttpRequest request = request(method, path, body);
        long begun = System.nanoTime();
        HttpResponse<byte[]> answer = client.send(request, BodyHandlers.ofByteArray());
        long took = System.nanoTime() - begun;
        assertThat(answer.statusCode())
                .as("%s: %s", path, new String(answer.body(), StandardCharsets.UTF_8))
                .isEqualTo(200);
        return took / 1e6;
    }

    private HttpRequest request(String method, String path, String body) throws Exception {
        URI uri = web.resolve(path);
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        Map<String, List<String>> fields =
                body.isEmpty() ? Map.of() : Map.of("Content-Type", List.of("application/json"));
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(content));
        fields.forEach((name, values) -> request.header(name, values.get(0)));
        if (path.startsWith(API)) {
            RequestParts parts =
                    new RequestParts(method, "http", "", uri.getRawPath(), uri.getRawQuery(), fields, content);
            operator.sign(parts, System.currentTimeMillis() / 1_000).forEach(request::header);
        }
        return request.build();
    }

    /** The views of the console for an administrator, each from the change of the address until it is drawn. */
    private void console(Browser browser) throws Exception {
        browser.size(1280, 900);
        browser.open(web.resolve("/heddle/market/"));
        browser.await("document.documentElement.dataset.drawn !== undefined");
        String key = "heddle-market-key 1\\ncluster = " + CLUSTER + "\\nkey = " + KeyRing.OPERATOR + "/1\\nsecret = "
                + MasterKeys.text(secret);
        browser.evaluate("document.querySelector('#sign-in').click();"
                + "document.querySelector('#key-text').value = '" + key + "';"
                + "document.querySelector('#sign-in-form button[type=submit]').click(); 0");
        browser.await("document.querySelector('#user').innerText.startsWith('Signed in as ')");
        List<String> views = List.of("overview", "account/alice", "queues", "incomes", "keys", "audit");
        for (int round = 0; round < 3; round++) {
            for (String view : views) {
                draw(browser, view);
            }
        }
        for (String view : views) {
            double[] millis = new double[DRAWS];
            for (int i = 0; i < DRAWS; i++) {
                draw(browser, view.equals("queues") ? "overview" : "queues");
                millis[i] = draw(browser, view);
            }
            report("console, " + view, millis);
        }
    }

    private static double draw(Browser browser, String view) throws Exception {
        browser.evaluate("{const page = document.documentElement; delete page.dataset.drawn; window.took = null;"
                + "const begun = performance.now(); new MutationObserver((changes, watch) => {"
                + "if (page.dataset.drawn !== '" + view + "') return; window.took = performance.now() - begun;"
                + "watch.disconnect(); }).observe(page, {attributes: true}); location.hash = '" + view + "'; 0}");
        browser.await("window.took !== null");
        return browser.evaluate("window.took").asDouble();
    }

    private void report(String view, double[] millis) {
        Arrays.sort(millis);
        double late = millis[millis.length * 99 / 100];
        System.out.printf(
                Locale.ROOT, "view: %-90s median %6.1f ms, 99 %% %6.1f ms%n", view, millis[millis.length / 2], late);
        if (late >= GOAL_MILLIS) {
            slow.add(String.format(Locale.ROOT, "%s: %.1f ms", view, late));
        }
    }
}
