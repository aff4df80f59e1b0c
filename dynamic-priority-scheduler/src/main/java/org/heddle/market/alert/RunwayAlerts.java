// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.alert;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.heddle.market.ledger.Market;
import org.heddle.market.model.status.QueueStatus;
import org.heddle.settings.Clocks;
import org.heddle.settings.web.WebAnswer;
import org.heddle.settings.web.WebClient;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a POST with JSON to a webhook when the balance of an account lasts for less than a limit, or when it has spent
 * a part of its budget. The field {@code text} is a sentence, which Slack, Mattermost and others show; the other fields
 * are for programs. An alert that the webhook does not accept is logged and lost. One daemon thread checks once a
 * minute.
 */
public final class RunwayAlerts implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RunwayAlerts.class);
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final long CHECK_SECONDS = 60;

    /** What is sent. */
    private record Alert(
            String text,
            String cluster,
            String account,
            String budget,
            String rate,
            int spentPercent,
            @Nullable Long runwayMillis,
            long atMillis) {}

    private final String path;
    private final String cluster;
    private final Supplier<@Nullable Market> market;
    private final Clocks clocks;
    private final RunwayWatch watch;
    private final BudgetWatch budgets = new BudgetWatch();
    private final WebClient client;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "heddle-market-alerts");
        made.setDaemon(true);
        return made;
    });

    /**
     * @param market null while this process does not lead the market
     * @param limit of the runway
     */
    public RunwayAlerts(URI webhook, String cluster, Duration limit, Supplier<@Nullable Market> market, Clocks clocks) {
        this.path = webhook.getRawPath() + (webhook.getRawQuery() == null ? "" : "?" + webhook.getRawQuery());
        this.client = new WebClient(List.of(webhook), TIMEOUT, "").withoutKerberos();
        this.cluster = cluster;
        this.market = market;
        this.clocks = clocks;
        this.watch = new RunwayWatch(limit);
    }

    /** Checks the accounts once a minute from now on. */
    public void start() {
        var unused = thread.scheduleWithFixedDelay(this::check, CHECK_SECONDS, CHECK_SECONDS, TimeUnit.SECONDS);
    }

    /** Checks all accounts, and sends the alerts. */
    void check() {
        try {
            Market open = market.get();
            if (open == null) {
                return;
            }
            List<QueueStatus> accounts = open.queues();
            for (QueueStatus account : watch.below(accounts, clocks.millis())) {
                Duration runway = account.runway().orElseThrow();
                send(
                        account,
                        0,
                        "has " + account.budget() + " credits, which last " + minutes(runway) + " at its present use");
            }
            for (BudgetWatch.Spent spent : budgets.passed(accounts)) {
                QueueStatus account = spent.account();
                send(
                        account,
                        spent.percent(),
                        "has spent " + spent.percent() + " % of its budget, and has " + account.budget()
                                + " credits left");
            }
        } catch (RuntimeException e) {
            LOG.error("The check of the accounts' runways failed; the next one follows", e);
        }
    }

    private void send(QueueStatus account, int percent, String what) {
        try {
            WebAnswer answer =
                    client.send("POST", path, json(account, percent, what), Map.of("Content-Type", "application/json"));
            if (!answer.isOk()) {
                warn(account, "status " + answer.status());
            }
        } catch (IOException e) {
            warn(account, String.valueOf(e.getMessage()));
        }
    }

    /** Without the address, which may contain a secret. */
    private static void warn(QueueStatus account, String why) {
        LOG.warn("alert.webhook did not accept the alert about account {}: {}", account.name(), why);
    }

    private String json(QueueStatus account, int percent, String what) throws JsonProcessingException {
        String text = "Account " + account.name() + " of cluster " + cluster + " " + what
                + ": pay into it, or lower its rate of " + account.rate();
        return MAPPER.writeValueAsString(new Alert(
                text,
                cluster,
                account.name(),
                account.budget().toString(),
                account.rate().toString(),
                percent,
                account.runway().map(Duration::toMillis).orElse(null),
                clocks.date()));
    }

    private static String minutes(Duration runway) {
        return runway.toHours() < 2 ? runway.toMinutes() + " min" : runway.toHours() + " h";
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
