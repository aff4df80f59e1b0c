// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.client;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.heddle.market.model.naming.WebAddress;
import org.heddle.market.security.RequestSigner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of every command: the market and the credentials. */
public final class ConnectionOptions {
    @Option(
            names = "--url",
            paramLabel = "URL",
            split = ",",
            description =
                    "ResourceManager, for example http://rm.example.org:8088; several of one cluster with commas between."
                            + " Default: $HEDDLE_MARKET_URL, else the URL in the key file.")
    private List<String> urls = new ArrayList<>();

    @Option(
            names = {"--key-file", "--key"},
            paramLabel = "FILE",
            description = "Key to sign with. Default: $HEDDLE_MARKET_KEY, else ~/.heddle/market-key.")
    private @Nullable Path keyFile;

    @Option(
            names = "--negotiate",
            description = "Authenticate with Kerberos (kinit) instead of a key, in a cluster with Kerberos.")
    private boolean negotiate;

    /** The file for a new key, if the user does not name one. */
    public Path newKeyFile() {
        return keyFile == null ? Path.of(System.getProperty("user.home"), ".heddle", "market-key") : keyFile;
    }

    /** A client for public requests: it signs them if there is a key. */
    public MarketClient open() {
        return keyFile != null || Files.exists(newKeyFile()) ? proven() : plain();
    }

    /** A client with credentials. @throws CommandException if there are none */
    public MarketClient proven() {
        if (negotiate) {
            return new MarketClient(addresses(""), null, SpnegoNegotiation.withTicketCache(), Clock.systemUTC());
        }
        KeyFile key = KeyFile.read(newKeyFile());
        RequestSigner signer = new RequestSigner(key.cluster(), key.keyId(), key.secretBytes(), new SecureRandom());
        return new MarketClient(addresses(key.url()), signer, null, Clock.systemUTC());
    }

    private MarketClient plain() {
        return new MarketClient(
                addresses(""), null, negotiate ? SpnegoNegotiation.withTicketCache() : null, Clock.systemUTC());
    }

    /** The first address, for new key files. */
    public String url() {
        return addresses("").get(0).toString();
    }

    /** The ResourceManagers; those of the key file if none are given. */
    public List<URI> resourceManagers() {
        return addresses(Files.exists(newKeyFile()) ? KeyFile.read(newKeyFile()).url() : "");
    }

    private List<URI> addresses(String fallback) {
        List<String> texts = urls;
        if (texts.isEmpty() && !fallback.isEmpty()) {
            texts = List.of(fallback);
        }
        if (texts.isEmpty()) {
            throw new CommandException(
                    CommandException.WRONG,
                    "no market is given; use --url http://RESOURCEMANAGER:8088 or set HEDDLE_MARKET_URL");
        }
        List<URI> addresses = new ArrayList<>();
        for (String text : texts) {
            addresses.add(address(text.strip()));
        }
        return addresses;
    }

    private static URI address(String text) {
        URI address = WebAddress.parse(text);
        if (address == null) {
            throw new CommandException(
                    CommandException.WRONG,
                    "'" + text
                            + "' is not the address of a ResourceManager; write for example http://rm.example.org:8088");
        }
        return address;
    }
}
