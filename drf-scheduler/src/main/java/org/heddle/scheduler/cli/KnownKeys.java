// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.site.Site;
import org.heddle.settings.ConfigKey;
import org.heddle.settings.KeyTable;

/**
 * The keys that a part of Heddle reads. Those of the market, the bridge and the speculator are in jars that this
 * command does not have, so they are taken from the reference pages of the documentation, which are generated from the
 * keys.
 */
final class KnownKeys {
    private KnownKeys() {}

    static List<ConfigKey<?>> ofMarket() {
        return read("config-market.md");
    }

    static List<ConfigKey<?>> ofBridge() {
        return read("config-bridge.md");
    }

    static List<ConfigKey<?>> ofSpeculator() {
        return read("config-late.md");
    }

    private static List<ConfigKey<?>> read(String page) {
        try (InputStream in = Objects.requireNonNull(KnownKeys.class.getResourceAsStream(page), page)) {
            return KeyTable.keys(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Finds the keys of the site files that begin so and are not known, and values that are not valid. */
    static void check(Site site, String prefix, List<ConfigKey<?>> known, Findings findings) {
        Set<String> own = known.stream()
                .map(ConfigKey::name)
                .filter(key -> key.startsWith(prefix))
                .collect(Collectors.toSet());
        for (String key : site.keys(prefix)) {
            if (!own.contains(key)) {
                findings.problem(
                        key + " (" + site.where(key) + ") is not a key of Heddle and has no effect",
                        KnownNames.choices(key, own));
            }
        }
        for (ConfigKey<?> key : known) {
            try {
                key.read(site::get);
            } catch (IllegalArgumentException e) {
                findings.problem(String.valueOf(e.getMessage()), "correct it in " + site.where(key.name()));
            }
        }
    }
}
