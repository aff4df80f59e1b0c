// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The common part of the commands. */
public abstract class MarketCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // injected
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init") // injected
    private ConnectionOptions connection;

    @Option(names = "--json", description = "Print the answer of the market as JSON.")
    private boolean asJson;

    public ConnectionOptions connection() {
        return connection;
    }

    public PrintWriter out() {
        return spec.commandLine().getOut();
    }

    protected PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** Sends the request and prints the answer. */
    protected abstract void run(MarketClient client);

    /** Whether the command needs credentials. */
    protected boolean needsProof() {
        return true;
    }

    @Override
    public Integer call() {
        run(needsProof() ? connection.proven() : connection.open());
        out().flush();
        return 0;
    }

    /** Whether the user chose JSON. */
    protected boolean isJson() {
        return asJson;
    }

    /** Prints an answer as JSON if the user chose that. @return whether it did */
    protected boolean printed(JsonNode answer) {
        if (asJson) {
            out().println(answer.toPrettyString());
        }
        return asJson;
    }

    /** Prints the receipt of a change. */
    protected void printReceipt(JsonNode receipt, String what) {
        if (!printed(receipt)) {
            out().println(what + "; number " + receipt.get("sequence").asText() + " in the audit, applies from epoch "
                    + receipt.get("effectiveEpoch").asText() + " on"
                    + (receipt.get("repeated").asBoolean() ? "; it was done before" : ""));
        }
    }

    /** The key that marks a repetition: the one that the user chose, or a new one. */
    protected static String idempotencyKey(@Nullable String chosen) {
        return chosen == null ? UUID.randomUUID().toString() : chosen;
    }

    protected static String time(JsonNode millis) {
        return millis.isNull() ? "never" : Instant.ofEpochMilli(millis.asLong()).toString();
    }

    protected static String duration(JsonNode millis) {
        if (millis.isNull()) {
            return "forever";
        }
        Duration duration = Duration.ofMillis(millis.asLong());
        if (duration.toMinutes() < 2) {
            return duration.toSeconds() + " s";
        }
        if (duration.toHours() < 2) {
            return duration.toMinutes() + " min";
        }
        if (duration.toDays() >= 2) {
            return duration.toDays() + " d";
        }
        return duration.toHours() + " h"
                + (duration.toMinutesPart() == 0 ? "" : " " + duration.toMinutesPart() + " min");
    }

    /** A change that the user can mark, so that a repetition of the command does not make it twice. */
    public abstract static class Change extends MarketCommand {
        @Option(
                names = "--once",
                paramLabel = "WORD",
                description = "Make this change once, even if this command runs again with the same word.")
        private @Nullable String once;

        /** The idempotency key of the change. */
        protected String onceKey() {
            return idempotencyKey(once);
        }
    }
}
