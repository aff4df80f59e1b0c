// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.client;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.heddle.market.security.RequestSigner;
import org.heddle.settings.command.AddressConverter;
import org.heddle.settings.command.CommandException;
import org.heddle.settings.web.ClusterSite;
import org.heddle.settings.web.WebAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of every command: the market and the credentials. */
public final class ConnectionOptions {
    @Option(
            names = "--url",
            paramLabel = "URL",
            split = ",",
            converter = AddressConverter.class,
            description = "The ResourceManager, for example http://rm1:8088 or rm1:8088; both of a pair with a comma"
                    + " between. Default: $HEDDLE_MARKET_URL, else the URL in the key file, else those of the"
                    + " yarn-site.xml in HADOOP_CONF_DIR.")
    private List<URI> urls = new ArrayList<>();

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
            return plain();
        }
        KeyFile key = KeyFile.read(newKeyFile());
        RequestSigner signer = new RequestSigner(key.cluster(), key.keyId(), key.secretBytes(), new SecureRandom());
        return new MarketClient(addresses(key.url()), signer, Clock.systemUTC());
    }

    private MarketClient plain() {
        return new MarketClient(addresses(""), null, Clock.systemUTC());
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
        if (!urls.isEmpty()) {
            return urls;
        }
        try {
            if (fallback.isEmpty()) {
                return ClusterSite.resourceManagers(System.getenv());
            }
            return List.of(WebAddress.of(fallback));
        } catch (IOException | IllegalArgumentException e) {
            throw new CommandException(CommandException.WRONG, e.getMessage() + "; give the market with --url");
        }
    }
}
