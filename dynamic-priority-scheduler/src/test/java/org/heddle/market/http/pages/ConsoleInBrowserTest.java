// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.pages;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.heddle.market.http.MarketWebFixture;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.change.Mutation;
import org.heddle.market.security.KeyRing;
import org.heddle.market.security.MasterKeys;
import org.heddle.scheduler.http.Accessibility;
import org.heddle.scheduler.http.Browser;
import org.heddle.testkit.machine.SystemPackage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console in a browser, used as users and administrators use it. The pictures stay in {@code target/pages}. */
class ConsoleInBrowserTest {
    private static final Path PICTURES = Path.of("target", "pages");
    private static final String TRAP = "<img src=x onerror=alert(1)>";
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    static Path profile;

    @SuppressWarnings("NullAway.Init") // set by startBrowser
    private static Browser browser;

    private MarketWebFixture server;

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
        server = new MarketWebFixture(Map.of());
        show("alice", "bob", "carol", "science.physics", TRAP);
        browser.size(1280, 900);
        browser.dark(false);
        browser.forgetComplaints();
    }

    @AfterEach
    void stop() throws Exception {
        browser.open(URI.create("about:blank")); // the page asks its server no more
        server.close();
    }

    private void show(String... accounts) throws Exception {
        server.show(accounts);
        int i = 0;
        for (String rate : new String[] {"4", "1.5", "2"}) {
            server.market.setSpending(
                    new Mutation("test", "test", "rate " + i), accounts[i++], SpendingRate.parse(rate));
        }
        server.books.turn();
    }

    private String text(String selector) throws InterruptedException {
        return browser.evaluate("document.querySelector(\"" + selector + "\").innerText")
                .asText();
    }

    private int width() throws InterruptedException {
        return browser.evaluate("document.documentElement.scrollWidth").asInt();
    }

    private void view(String name) throws InterruptedException {
        browser.evaluate("delete document.documentElement.dataset.drawn; location.hash = '" + name + "'; 0");
        browser.await("document.documentElement.dataset.drawn === '" + name + "'");
    }

    private void open() throws InterruptedException {
        browser.open(server.uri("/heddle/market/"));
        browser.await("document.documentElement.dataset.drawn !== undefined");
    }

    private void type(String selector, String text) throws Exception {
        browser.evaluate("{const e = document.querySelector('" + selector + "'); e.value = "
                + JSON.writeValueAsString(text) + "; e.dispatchEvent(new Event('input')); "
                + "e.dispatchEvent(new Event('change')); 0}");
    }

    private void click(String selector) throws InterruptedException {
        browser.evaluate("document.querySelector(\"" + selector + "\").click()");
    }

    private String keyFile(String owner, String role) throws Exception {
        String body = "{\"owner\":\"" + owner + "\",\"role\":\"" + role + "\"}";
        HttpResponse<String> made = server.sign(server.operator(), "POST", "/heddle/market/v1/keys", body);
        JsonNode key = JSON.readTree(made.body());
        return "heddle-market-key 1\nurl = http://127.0.0.1\ncluster = "
                + key.get("cluster").asText() + "\nkey = " + key.at("/key/id").asText() + "\nsecret = "
                + key.get("secret").asText() + "\n";
    }

    private void signIn(String keyFile) throws Exception {
        click("#sign-in");
        type("#key-text", keyFile);
        click("#sign-in-form button[type=submit]");
    }

    private void signedIn(String owner, String keyFile) throws Exception {
        signIn(keyFile);
        browser.await("document.querySelector('#user').innerText.startsWith('Signed in as " + owner + "')");
        browser.await("!document.querySelector('#account').hidden || !document.querySelector('#overview').hidden");
    }

    @Test
    void whoeverIsNotSignedInReadsTheMarketOnAPhoneAndOnADesk() throws Exception {
        browser.size(360, 1_500);
        open();
        view("queues");
        assertThat(width()).isLessThanOrEqualTo(360);
        browser.screenshot(PICTURES.resolve("market-phone.png"));

        browser.size(1280, 900);
        assertThat(text("#user")).contains("not signed in");
        assertThat(text("#accounts"))
                .contains("alice", "1,000.00", "53.3 %", "43", "paying", "no rate", TRAP)
                .contains("5 accounts", "5,000.00", "7.50");
        click("#accounts thead button");
        assertThat(text("#accounts tbody tr")).contains(TRAP);
        type("#queue-filter", "paying");
        assertThat(text("#queue-count")).isEqualTo("3 of 5 accounts");
        type("#queue-search", "bo");
        assertThat(text("#accounts tbody")).contains("bob").doesNotContain("alice");
        view("overview");
        assertThat(text("#tiles")).contains("7.50", "9 of 15", "5,000.00");
        assertThat(text("#preemption-tiles")).contains("0.06", "lost in 3 preempted containers", "0.99 %");
        // 36 slot-seconds are missing, and nine slots in use earn 0.0675 of them in each second.
        assertThat(text("#preemption-tiles"))
                .contains("0.75 %", "1.0", "at most 2.3", "2", "applications starve", "1.6 slot-minutes", "in 9 min");
        assertThat(text("#price-chart .readout")).contains("price");
        browser.screenshot(PICTURES.resolve("market-overview.png"));
        assertThat(Accessibility.findingsInAllForms(browser)).isEmpty();
        view("account/bob");
        assertThat(browser.evaluate("document.querySelector('#set-rate').hidden")
                        .asBoolean())
                .isTrue();
        assertThat(text("#account-tiles")).contains("1,000.00", "1.50");
        assertThat(browser.evaluate("[...document.scripts].every(s => s.src.startsWith(location.origin))")
                        .asBoolean())
                .isTrue();
        assertThat(browser.complaints()).allMatch(complaint -> complaint.contains("401"), "no permission, no more");
    }

    @Test
    void aUserSignsInWithAKeyTriesRatesSetsOneAndTakesTheStatement() throws Exception {
        server.market.addBudget(new Mutation("test", "test", "gift"), "alice", Credits.of(7), "=gift");
        open();
        signIn("nonsense");
        browser.await("document.querySelector('#key-problem').innerText !== ''");
        assertThat(Accessibility.findingsInAllForms(browser)).as("signing in").isEmpty();
        assertThat(text("#key-problem")).startsWith("This is not a key file").contains("heddle market keys create");
        click("#sign-in");
        signIn(keyFile("alice", "user").replace("cluster = ", "cluster = other-"));
        browser.await("document.querySelector('#key-problem').innerText.includes('other-')");
        click("#sign-in");
        signedIn("alice", keyFile("alice", "user"));

        browser.await("document.querySelector('#account-tiles').innerText.includes('1,007.00')");
        assertThat(browser.evaluate("document.querySelector('#account-name').value")
                        .asText())
                .isEqualTo("alice");
        assertThat(text("#user")).isEqualTo("Signed in as alice with key alice/2");
        type("#rate", "8");
        assertThat(text("#what-if-result")).contains("11.50", "70 %", "10.43", "83.48");
        type("#job", "20.87");
        assertThat(text("#job-result")).contains("in 2.0 h", "166.96");
        type("#rate", "a lot");
        assertThat(text("#rate-problem")).contains("\"a lot\" must be a number", "for example 1.5");
        assertThat(browser.evaluate("document.querySelector('#set-rate').disabled")
                        .asBoolean())
                .isTrue();
        assertThat(text("#what-if-result")).as("nothing stale beside the error").isEmpty();
        type("#rate", "6.25");
        click("#set-rate");
        browser.await("document.querySelector('#rate-done').innerText.includes('The rate is 6.25 from 20')");
        assertThat(server.market.queue("alice").rate()).isEqualTo(SpendingRate.parse("6.25"));
        browser.await("document.querySelector('#statement-table').innerText.includes('=gift')");
        server.books.turn();
        browser.await("document.querySelector('#applications-table').innerText.includes('application_1_0001')");
        assertThat(text("#applications-table")).contains("=nightly", "0.0167", "(others)", "1 single", "0.0222");
        click("#statement-csv");
        browser.await("document.querySelector('#statement-done').innerText.includes('statement-alice.csv')");
        assertThat(Accessibility.findingsInAllForms(browser)).isEmpty();
        browser.screenshot(PICTURES.resolve("market-account.png"));
        browser.size(360, 2_400);
        assertThat(width()).isLessThanOrEqualTo(360);
        browser.screenshot(PICTURES.resolve("market-account-phone.png"));
        assertThat(browser.evaluate("document.querySelector('#account-name').options.length")
                        .asInt())
                .as("a user sees the own account and no other")
                .isEqualTo(1);
        click("#sign-out");
        browser.await("document.querySelector('#user').innerText.includes('not signed in')");
    }

    @Test
    void overPlainHttpNobodySignsInWithAKey() throws Exception {
        keyFile("bob", "user");
        open();
        browser.evaluate("Object.defineProperty(crypto, 'subtle', {value: undefined}); 0"); // as on plain HTTP
        click("#sign-in");
        type("#key-text", operatorKeyFile());
        click("#sign-in-form button[type=submit]");

        browser.await("document.querySelector('#key-problem').innerText.includes('over HTTPS')");
    }

    @Test
    void anAdministratorSeesIncomesKeysAndAudit() throws Exception {
        keyFile("bob", "user");
        server.sign(
                server.operator(),
                "PUT",
                "/heddle/market/v1/incomes/weekly",
                "{\"total\":\"10\",\"everySeconds\":\"3600\",\"weights\":{\"alice\":\"2\",\"bob\":\"1\"}}");
        open();
        signedIn(KeyRing.OPERATOR, operatorKeyFile());
        view("incomes");
        assertThat(text("#incomes-table")).contains("weekly", "10.00", "60 min", "alice (2), bob (1)");
        click("[aria-label='Edit the income weekly']");
        type("#income-total", "20");
        type("#income-weights", "alice=2 bob");
        click("#income-form button[type=submit]");
        browser.await("document.querySelector('#income-note').innerText.includes('weekly is set')");
        browser.await("document.querySelector('#incomes-table').innerText.includes('20.00')");
        browser.screenshot(PICTURES.resolve("market-incomes.png"));
        type("#income-weights", "alice=x");
        click("#income-form button[type=submit]");
        assertThat(text("#income-note")).contains("ACCOUNT=WEIGHT");
        assertThat(Accessibility.findingsInAllForms(browser)).isEmpty();
        view("keys");
        assertThat(text("#keys-table")).contains("bob/1", "valid", "never");
        assertThat(Accessibility.findingsInAllForms(browser)).isEmpty();
        click("[aria-label='Revoke the key bob/1']");
        click("[aria-label='Revoke the key bob/1']");
        browser.await("document.querySelector('#keys-table').innerText.includes('revoked')");
        view("audit");
        assertThat(text("#audit-table tbody tr")).as("the newest entry").contains("revoke-key");
        assertThat(text("#audit-table")).contains("set-income", "weekly");
        assertThat(Accessibility.findingsInAllForms(browser)).isEmpty();
        view("account/alice");
        type("#money-amount", "12.5");
        type("#money-text", "bonus");
        click("#pay-in");
        browser.await("document.querySelector('#money-note').innerText.includes('the balance is 1012.5')");
        browser.await("!document.querySelector('#pay-out').disabled");
        type("#money-amount", "5000");
        click("#pay-out");
        browser.await("document.querySelector('#money-note').classList.contains('bad')");
        assertThat(server.market.queue("alice").budget()).isEqualTo(Credits.parse("1012.5"));
        assertThat(Accessibility.findingsInAllForms(browser)).isEmpty();
        browser.screenshot(PICTURES.resolve("market-account-admin.png"));
        view("queues");
        assertThat(Accessibility.findingsInAllForms(browser)).isEmpty();
        view("overview");
        assertThat(Accessibility.findingsInAllForms(browser)).isEmpty();
        assertThat(browser.complaints())
                .allMatch(complaint -> complaint.contains("withdrawals"), "the refused one, no more");
    }

    private static String operatorKeyFile() {
        MasterKeys masters = new MasterKeys("spruce", MarketWebFixture.MASTER, List.of());
        byte[] secret = Objects.requireNonNull(masters.secret(KeyRing.operatorKey(masters)));
        return "heddle-market-key 1\ncluster = spruce\nkey = " + KeyRing.OPERATOR + "/1\nsecret = "
                + MasterKeys.text(secret);
    }

    /** The time is that of drawing, measured in the page; it is reported and not judged, for machines differ. */
    @Test
    void aThousandAccountsAreDrawnInPages() throws Exception {
        show(Stream.concat(
                        Stream.of("alice", "bob", "carol"),
                        IntStream.range(0, 997).mapToObj(i -> "team-" + i % 40 + ".user-" + i))
                .toArray(String[]::new));
        open();
        signedIn(KeyRing.OPERATOR, operatorKeyFile());
        for (String view : new String[] {"overview", "account/alice", "queues", "incomes", "keys", "audit"}) {
            view(view);
            System.out.println("drawing " + view + " with 1,000 accounts: "
                    + browser.evaluate("document.documentElement.dataset.millis")
                            .asText() + " ms");
        }
        view("queues");
        assertThat(browser.evaluate("document.querySelectorAll('#accounts tbody tr').length")
                        .asInt())
                .isEqualTo(50);
        assertThat(text("#accounts .pager")).contains("1 to 50 of 1,000");
        click("#accounts .pager button:nth-child(2)");
        assertThat(text("#accounts .pager")).contains("51 to 100 of 1,000");
        type("#queue-search", "user-99");
        assertThat(text("#queue-count")).isEqualTo("8 of 1,000 accounts");
    }

    @Test
    void itFollowsTheMarketAndSaysSoInAnOutage() throws Exception {
        open();
        browser.await("document.querySelector('#problem').hidden");

        server.books.fail();

        browser.await("!document.querySelector('#problem').hidden");
        assertThat(text("#problem")).contains("The ledger cannot be written");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void withoutJavaScriptThereAreTables() throws Exception {
        String shell = server.get("/heddle/market/").body();
        String tables = server.get("/heddle/market/tables").body();

        assertThat(shell).contains("<noscript>", "href=\"tables\"", "href=\"/heddle/\"", "aria-current=\"page\"");
        assertThat(tables)
                .contains("<th scope=\"row\">alice</th><td>1000</td><td>4</td><td>53.33 %</td>")
                .contains("<th scope=\"row\">Limit of lost work</th><td>0.75 %</td>")
                .contains("&lt;img src=x")
                .doesNotContain("<img");
        assertThat(server.get("/heddle/").body()).contains("<a href=\"/heddle/market/\">Market</a>");
        browser.open(server.uri("/heddle/market/tables"));
        browser.await("document.readyState === 'complete'");
        assertThat(Accessibility.findingsInAllForms(browser)).isEmpty();
    }
}
