// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.capacity;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.heddle.scheduler.config.site.SiteFile;
import org.heddle.scheduler.config.site.SiteSettings;
import org.heddle.scheduler.config.site.Variables;
import org.heddle.scheduler.config.xml.Problems;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a CapacityScheduler as Hadoop puts them together: those of {@code yarn-site.xml}, changed by those
 * of {@code capacity-scheduler.xml} unless they are final. It notes which of them were asked for, so that the rest can
 * be reported.
 */
final class CapacityProperties {
    static final String PREFIX = "yarn.scheduler.capacity.";
    private static final String NUMBER = "must be a number";

    private final SiteFile file;
    private final SiteSettings site;
    private final Problems problems;
    private final NavigableSet<String> all;
    private final Set<String> used = new HashSet<>();

    CapacityProperties(SiteFile file, SiteSettings site, Problems problems) {
        this.file = file;
        this.site = site;
        this.problems = problems;
        this.all = new TreeSet<>(site.names().apply(PREFIX));
        all.addAll(file.properties().keySet());
    }

    /** The value of a key without blanks around it; null where it is not set. */
    @Nullable
    String get(String key) {
        String value = raw(key);
        return value == null ? null : value.strip();
    }

    /** The value with the blanks around it, which count in access lists. */
    @Nullable
    String raw(String key) {
        used.add(key);
        SiteFile.Property property = property(key);
        if (property == null) {
            return site.get(key);
        }
        return Variables.expand(property.value(), name -> {
            SiteFile.Property other = property(name);
            return other == null ? site.get(name) : other.value();
        });
    }

    /** Null where the file does not have the key, or {@code yarn-site.xml} does not let it be changed. */
    private SiteFile.@Nullable Property property(String key) {
        SiteFile.Property property = file.properties().get(key);
        return property != null && site.get(key) != null && site.isFinal().test(key) ? null : property;
    }

    /** All keys with a prefix that begins with {@link #PREFIX}, in order. */
    Set<String> names(String prefix) {
        return new TreeSet<>(all.subSet(prefix, prefix + Character.MAX_VALUE));
    }

    /** The keys of CapacityScheduler that are set and that nobody asked for. */
    Set<String> unused() {
        Set<String> names = names(PREFIX);
        names.removeAll(used);
        return names;
    }

    /** Reports a value that cannot be used. */
    void add(String key, String wayOut) {
        report(key, (line, element) -> problems.add(line, element, shown(key), wayOut));
    }

    /** Reports a property that has no effect, or another than one might think. */
    void warn(String key, String what) {
        report(key, (line, element) -> problems.warn(line, element, shown(key), what));
    }

    private interface Report {
        void at(int line, String element);
    }

    private void report(String key, Report report) {
        SiteFile.Property property = property(key);
        if (property == null) {
            report.at(0, site.get(key) == null ? key : "yarn-site.xml, " + key);
        } else if (property.file().isEmpty()) {
            report.at(property.line(), key);
        } else {
            report.at(0, property.file() + " line " + property.line() + ", " + key);
        }
    }

    private String shown(String key) {
        String value = get(key);
        return value == null ? "" : value;
    }

    // ---- values ----

    /**
     * The value of a key, or the fallback where it is not set; a problem, and the fallback, where it cannot be read.
     */
    <T extends @Nullable Object> T value(String key, Function<String, T> parser, T fallback) {
        String text = get(key);
        if (text == null || text.isEmpty()) {
            return fallback;
        }
        try {
            return parser.apply(text);
        } catch (NumberFormatException e) {
            add(key, NUMBER);
            return fallback;
        } catch (IllegalArgumentException e) {
            add(key, String.valueOf(e.getMessage()));
            return fallback;
        }
    }

    BigDecimal number(String key, BigDecimal fallback) {
        return value(key, CapacityProperties::decimal, fallback);
    }

    /** A number as Java writes it, such as 2, 0.5, 1e3 or 1f. */
    static BigDecimal decimal(String text) {
        BigDecimal number = new BigDecimal(text.replaceAll("[dDfF]$", ""));
        if (number.precision() > 30 || Math.abs((long) number.scale()) > 30) {
            throw new NumberFormatException();
        }
        return number;
    }

    int count(String key, int fallback) {
        return value(
                key,
                text -> {
                    try {
                        return Integer.parseInt(text);
                    } catch (NumberFormatException e) {
                        throw new IllegalArgumentException("must be a whole number up to " + Integer.MAX_VALUE, e);
                    }
                },
                fallback);
    }

    long longCount(String key, long fallback) {
        return value(
                key,
                text -> {
                    try {
                        return Long.parseLong(text);
                    } catch (NumberFormatException e) {
                        throw new IllegalArgumentException("must be a whole number", e);
                    }
                },
                fallback);
    }

    /** As Hadoop reads booleans: a value that is neither true nor false counts as not set. */
    boolean is(String key, boolean fallback) {
        String text = get(key);
        if ("true".equalsIgnoreCase(text)) {
            return true;
        }
        return fallback && !"false".equalsIgnoreCase(text);
    }

    /** Names with commas between. */
    List<String> list(String key) {
        String text = get(key);
        if (text == null) {
            return List.of();
        }
        return Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
    }
}
