// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.heddle.market.http.InMemoryMarket;
import org.heddle.market.http.MarketWebFixture;
import org.heddle.market.http.config.WebKeys;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.change.MarketException.Reason;
import org.heddle.market.model.change.Mutation;
import org.heddle.scheduler.http.Browser;
import org.heddle.testkit.SystemPackage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console, looked at by a browser. The pictures stay in {@code target/pages}. */
class ConsoleInBrowserTest {
    private static final Path PICTURES = Path.of("target", "pages");
    private static final String LOADED = "document.querySelectorAll('#accounts tbody tr').length > 0"
            + " && document.querySelectorAll('#balance-chart path').length === 2";
    private static final String TRAP = "<img src=x onerror=alert(1)>";

    @TempDir
    Path profile;

    private MarketWebFixture server;
    private Browser browser;

    @BeforeEach
    void start() throws Exception {
        Path chromium = SystemPackage.require("chromium");
        Files.createDirectories(PICTURES);
        server = new MarketWebFixture(Map.of(WebKeys.PEERS.name(), "pine=http://127.0.0.1:1"));
        InMemoryMarket market = new InMemoryMarket("alice", "bob", "carol", "science.physics", TRAP);
        int i = 0;
        for (String rate : new String[] {"4", "1.5", "2"}) {
            String queue = new String[] {"alice", "bob", "carol"}[i];
            market.setSpending(new Mutation("test", "test", "rate " + i++), queue, SpendingRate.parse(rate));
        }
        server.show(market);
        browser = new Browser(chromium, profile);
    }

    @AfterEach
    void stop() {
        if (browser != null) {
            browser.close();
        }
        if (server != null) {
            server.close();
        }
    }

    private String text(String selector) throws InterruptedException {
        return browser.evaluate("document.querySelector(\"" + selector + "\").innerText")
                .asText();
    }

    private int width() throws InterruptedException {
        return browser.evaluate("document.documentElement.scrollWidth").asInt();
    }

    @Test
    void thePapersFiveNumbersAndBothCurvesAreThereOnAPhoneAndOnADesk() throws Exception {
        browser.size(360, 1_500);
        browser.open(server.uri("/heddle/market/"));
        browser.await(LOADED);
        assertThat(width()).isLessThanOrEqualTo(360);
        browser.screenshot(PICTURES.resolve("market-phone.png"));

        browser.size(1280, 820);
        browser.open(server.uri("/heddle/market/"));
        browser.await(LOADED);

        assertThat(text("#accounts")).contains("alice", "1,000", "53.3 %", "43", "paying", "no rate", TRAP);
        assertThat(text("#tiles")).contains("7.5", "9 of 15", "5,000");
        assertThat(browser.evaluate("document.querySelectorAll('#price-chart path').length")
                        .asInt())
                .isEqualTo(2);
        assertThat(text("#balance-title")).startsWith("Balance of " + TRAP);
        browser.evaluate("document.querySelector('[aria-label=\"Balance of bob\"]').click()");
        browser.await("document.querySelector('#balance-title').innerText.startsWith('Balance of bob')");
        browser.await("document.querySelector('#clusters tbody tr:nth-child(2)') !== null");
        browser.screenshot(PICTURES.resolve("market-console.png"));
        assertThat(browser.evaluate("document.querySelectorAll('img, link[rel=stylesheet], script[src]').length")
                        .asInt())
                .isZero();
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void itFollowsTheMarketAndSaysSoInAnOutage() throws Exception {
        browser.size(1280, 820);
        browser.open(server.uri("/heddle/market/"));
        browser.await(LOADED + " && document.querySelector('#problem').hidden");

        server.market.fail(Reason.STORE_OUTAGE);

        browser.await("!document.querySelector('#problem').hidden");
        assertThat(text("#problem")).contains("The ledger cannot be written");
        assertThat(browser.complaints()).isEmpty();
    }
}
