// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.site;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.heddle.scheduler.config.SchedulerKeys;
import org.jspecify.annotations.Nullable;

/** Site files in Hadoop's order: the value of a later file counts. */
public final class Site {
    public static final Site EMPTY = new Site(List.of());
    private static final Map<String, String> DEFAULTS =
            Map.of(SchedulerKeys.TEMPORARY, SchedulerKeys.TEMPORARY_DEFAULT);

    private final List<SiteFile> files;

    public Site(List<SiteFile> files) {
        this.files = List.copyOf(files);
    }

    public List<SiteFile> files() {
        return files;
    }

    public Site with(SiteFile another) {
        List<SiteFile> more = new ArrayList<>(files);
        more.add(another);
        return new Site(more);
    }

    /** This site, then the files of another one. */
    public Site withAll(Site another) {
        List<SiteFile> more = new ArrayList<>(files);
        more.addAll(another.files);
        return new Site(more);
    }

    /** The value of a key as Hadoop hands it out, without blanks around it; null where no file sets it. */
    public @Nullable String get(String key) {
        SiteFile.Property property = property(key);
        return property == null ? null : expand(property.value()).strip();
    }

    public String get(String key, String fallback) {
        String value = get(key);
        return value == null || value.isEmpty() ? expand(fallback) : value;
    }

    /** As Hadoop reads booleans: a value that is neither true nor false counts as not set. */
    public boolean is(String key, boolean fallback) {
        String value = get(key, String.valueOf(fallback));
        return fallback ? !value.equalsIgnoreCase("false") : value.equalsIgnoreCase("true");
    }

    /** Where a key is set, for a message; empty where it is not. */
    public String where(String key) {
        for (int i = files.size() - 1; i >= 0; i--) {
            SiteFile.Property property = files.get(i).properties().get(key);
            if (property != null) {
                return files.get(i).path().getFileName() + " line " + property.line();
            }
        }
        return "";
    }

    /** All keys with a prefix, in order. */
    public Set<String> keys(String prefix) {
        Set<String> keys = new TreeSet<>();
        for (SiteFile file : files) {
            file.properties().keySet().stream()
                    .filter(key -> key.startsWith(prefix))
                    .forEach(keys::add);
        }
        return keys;
    }

    /** A file of the configuration directory, if it is among those read. */
    public @Nullable Path path(String name) {
        for (SiteFile file : files) {
            if (file.path().endsWith(name)) {
                return file.path();
            }
        }
        return null;
    }

    private SiteFile.@Nullable Property property(String key) {
        for (int i = files.size() - 1; i >= 0; i--) {
            SiteFile.Property property = files.get(i).properties().get(key);
            if (property != null) {
                return property;
            }
        }
        return null;
    }

    private String expand(String text) {
        return Variables.expand(text, this::raw);
    }

    private @Nullable String raw(String name) {
        SiteFile.Property property = property(name);
        return property == null ? DEFAULTS.get(name) : property.value();
    }

    /** These settings, for a file that depends on them. */
    public SiteSettings settings() {
        return new SiteSettings(this::get, this::keys, key -> {
            SiteFile.Property property = property(key);
            return property != null && property.isFinal();
        });
    }
}
