// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.keys;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.heddle.market.cli.client.KeyFile;
import org.heddle.market.cli.client.MarketClient;
import org.heddle.market.cli.client.MarketCommand;
import org.heddle.market.cli.client.TextTable;
import org.heddle.market.security.ApiKey;
import org.heddle.market.security.KeyRing;
import org.heddle.market.security.MasterKeys;
import org.heddle.settings.command.CommandException;
import org.heddle.settings.command.DurationConverter;
import org.heddle.settings.web.WebAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle market keys} and its subcommands. */
@Command(
        name = "keys",
        description = "Lists, creates, rotates and revokes keys.",
        subcommands = {
            KeysCommand.Create.class,
            KeysCommand.Rotate.class,
            KeysCommand.Revoke.class,
            KeysCommand.Operator.class
        })
public final class KeysCommand extends MarketCommand {
    @Override
    protected void run(MarketClient client) {
        JsonNode answer = client.get("keys");
        if (printed(answer)) {
            return;
        }
        TextTable table = new TextTable("key", "role", "valid", "created", "expires", "last used");
        for (JsonNode key : answer.get("keys")) {
            table.add(
                    key.get("id").asText(),
                    key.get("role").asText(),
                    key.get("live").asBoolean() ? "yes" : "no",
                    time(key.get("createdMillis")),
                    time(key.get("notAfterMillis")),
                    time(key.get("lastUsedMillis")));
        }
        out().print(table);
    }

    /** Asks the market for a new key and saves it with its secret, which the market tells only once. */
    private static void save(
            MarketCommand command, MarketClient client, String path, Map<String, String> body, @Nullable Path file) {
        Path to = file == null ? command.connection().newKeyFile() : file;
        KeyFile.demandNew(to);
        JsonNode made = client.change("POST", path, body, "");
        String id = made.at("/key/id").asText();
        KeyFile key = new KeyFile(
                command.connection().resourceManagers().get(0).toString(),
                made.get("cluster").asText(),
                id,
                made.get("secret").asText());
        key.write(to);
        command.out().println("key " + id + " is in " + to + "; keep it secret");
    }

    @Command(name = "create", description = "Creates a key and writes it to a file.")
    static final class Create extends MarketCommand {
        @Option(names = "--owner", paramLabel = "USER", description = "Owner of the key; you by default.")
        private @Nullable String owner;

        @Option(
                names = "--role",
                paramLabel = "ROLE",
                defaultValue = "user",
                description = "The largest role of the key: viewer, user, manager, auditor or admin.")
        @SuppressWarnings("NullAway.Init") // injected
        private String role;

        @Option(
                names = "--days",
                paramLabel = "DURATION",
                defaultValue = "0",
                converter = DurationConverter.Days.class,
                description = "Time until it expires, rounded up to whole days; 0 for never. A number without a unit is"
                        + " days.")
        private Duration days = Duration.ZERO;

        @Option(
                names = "--save",
                paramLabel = "FILE",
                description = "The new key file; the file of --key-file by default.")
        private @Nullable Path file;

        @Override
        protected void run(MarketClient client) {
            Map<String, String> body = new HashMap<>(Map.of(
                    "role",
                    role,
                    "days",
                    Long.toString(days.plusDays(1).minusNanos(1).toDays())));
            if (owner != null) {
                body.put("owner", owner);
            }
            save(this, client, "keys", body, file);
        }
    }

    @Command(name = "rotate", description = "Replaces a key with a new one; the old one stays valid for a while.")
    static final class Rotate extends MarketCommand {
        @Parameters(paramLabel = "KEY", description = "For example alice/1.")
        @SuppressWarnings("NullAway.Init") // injected
        private String id;

        @Option(
                names = "--grace",
                paramLabel = "DURATION",
                defaultValue = "1h",
                converter = DurationConverter.Seconds.class,
                description = "Time for which the old key stays valid. Default: ${DEFAULT-VALUE}.")
        private Duration grace = Duration.ZERO;

        @Option(names = "--save", required = true, paramLabel = "FILE", description = "The new key file.")
        @SuppressWarnings("NullAway.Init") // injected
        private Path file;

        @Override
        protected void run(MarketClient client) {
            Map<String, String> body = Map.of("graceSeconds", Long.toString(grace.toSeconds()));
            save(this, client, path(id) + "/rotation", body, file);
        }
    }

    @Command(name = "revoke", description = "Revokes a key at once.")
    static final class Revoke extends MarketCommand {
        @Parameters(paramLabel = "KEY", description = "For example alice/1.")
        @SuppressWarnings("NullAway.Init") // injected
        private String id;

        @Override
        protected void run(MarketClient client) {
            JsonNode answer = client.change("DELETE", path(id), Map.of(), "");
            if (!printed(answer)) {
                out().println("key " + id + " is revoked");
            }
        }
    }

    @Command(
            name = "operator",
            description = "Creates the key file of the operator from the cluster's master key, without a connection:"
                    + " anybody with the master key can do this. Use it to create the first administrator's key.")
    static final class Operator extends MarketCommand {
        @Option(
                names = "--master-key-file",
                required = true,
                paramLabel = "FILE",
                description = "The master key, in base64; - is standard input.")
        @SuppressWarnings("NullAway.Init") // injected
        private Path masterKey;

        @Option(names = "--cluster", required = true, paramLabel = "ID", description = "The cluster's id.")
        @SuppressWarnings("NullAway.Init") // injected
        private String cluster;

        @Option(names = "--save", required = true, paramLabel = "FILE", description = "The new key file.")
        @SuppressWarnings("NullAway.Init") // injected
        private Path file;

        @Override
        public Integer call() {
            MasterKeys masters;
            try {
                String text;
                if (masterKey.toString().equals("-")) {
                    text = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
                } else {
                    text = Files.readString(masterKey);
                }
                masters = new MasterKeys(cluster, text, List.of());
            } catch (IOException e) {
                throw new CommandException(CommandException.WRONG, masterKey + ": cannot be read: " + e.getMessage());
            } catch (IllegalArgumentException e) {
                throw new CommandException(CommandException.WRONG, masterKey + ": " + e.getMessage());
            }
            ApiKey key = KeyRing.operatorKey(masters);
            byte[] secret = Objects.requireNonNull(masters.secret(key));
            new KeyFile(connection().url(), cluster, key.id(), MasterKeys.text(secret)).write(file);
            out().println("key " + key.id() + " is in " + file + "; keep it secret");
            out().flush();
            return 0;
        }

        @Override
        protected void run(MarketClient client) {
            throw new IllegalStateException("this command needs no connection");
        }
    }

    private static String path(String id) {
        int slash = id.indexOf('/');
        if (slash < 1) {
            throw new CommandException(
                    CommandException.WRONG, "'" + id + "' is not the id of a key; write for example alice/1");
        }
        return "keys/" + WebAddress.segment(id.substring(0, slash)) + "/" + WebAddress.segment(id.substring(slash + 1));
    }
}
