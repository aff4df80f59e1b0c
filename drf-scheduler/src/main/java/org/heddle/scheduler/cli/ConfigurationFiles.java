// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.heddle.scheduler.config.ConfigurationException;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.read.SpecReader;
import org.heddle.scheduler.config.site.Site;
import org.heddle.scheduler.config.site.SiteFile;
import org.heddle.scheduler.config.site.SiteSettings;
import org.heddle.scheduler.policy.ShareOrders;
import org.jspecify.annotations.Nullable;

/** Reads a queue file as the ResourceManager would with the site files that it has. */
final class ConfigurationFiles {
    static final String YARN_SITE = "yarn-site.xml";

    private static final String RESOURCE_TYPES = "yarn.resource-types";

    private final Site site;
    private final List<String> moreResources;

    /**
     * @param site with {@code resource-types.xml} where there is one
     * @param moreResources {@code NAME[:UNIT]}
     */
    ConfigurationFiles(Site site, List<String> moreResources) {
        this.site = site;
        this.moreResources = List.copyOf(moreResources);
    }

    /** A site of one {@code yarn-site.xml} and the {@code resource-types.xml} beside it. */
    static Site site(Path yarnSite) throws IOException {
        Site site = new Site(List.of(SiteFile.read(yarnSite)));
        Path types = yarnSite.resolveSibling("resource-types.xml");
        if (Files.exists(types)) {
            return new Site(List.of(SiteFile.read(types))).with(site.files().get(0));
        }
        return site;
    }

    /** The {@code yarn-site.xml} beside a file; null if there is none. */
    static @Nullable Path beside(Path file) {
        Path sibling = file.toAbsolutePath().resolveSibling(YARN_SITE);
        return Files.isRegularFile(sibling) ? sibling : null;
    }

    SpecReader.Reading read(Path file) throws IOException, ConfigurationException {
        return reader(site.settings()).reading(file.toString(), Files.readAllBytes(file));
    }

    /** @param keys from a key of yarn-site.xml to its value */
    SpecReader.Reading read(Path file, Function<String, @Nullable String> keys)
            throws IOException, ConfigurationException {
        return read(file.toString(), Files.readAllBytes(file), keys);
    }

    /**
     * Reads a text.
     *
     * @param name of its file, for messages
     */
    SpecReader.Reading read(String name, byte[] content, Function<String, @Nullable String> keys)
            throws ConfigurationException {
        SiteSettings settings = site.settings();
        return reader(new SiteSettings(keys, settings.names(), settings.isFinal()))
                .reading(name, content);
    }

    /** Whether a file is a capacity-scheduler.xml without queues of its own, which does not count. */
    boolean saysNothing(Path file) throws IOException {
        return reader(site.settings()).saysNothing(file.toString(), Files.readAllBytes(file));
    }

    private SpecReader reader(SiteSettings settings) {
        List<String> orders = List.copyOf(
                ShareOrders.discover(ConfigurationFiles.class.getClassLoader()).names());
        return new SpecReader(KnownNames.of(orders, units()), settings);
    }

    private Map<String, String> units() {
        Map<String, String> units = new HashMap<>(Map.of("memory-mb", "Mi", "vcores", ""));
        Arrays.stream(site.get(RESOURCE_TYPES, "").split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .forEach(name -> units.putIfAbsent(name, site.get(RESOURCE_TYPES + "." + name + ".units", "")));
        for (String resource : moreResources) {
            String[] parts = resource.split(":", 2);
            units.put(parts[0], parts.length > 1 ? parts[1] : "");
        }
        return units;
    }
}
