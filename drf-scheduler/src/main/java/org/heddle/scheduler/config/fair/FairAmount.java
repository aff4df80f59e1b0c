// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.fair;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.model.Amounts;

/**
 * An amount as {@code fair-scheduler.xml} writes it, in any of FairScheduler's four syntaxes: {@code vcores=4,
 * memory-mb=8192}, {@code vcores=40%, memory-mb=50%}, {@code 8192 mb, 4 vcores} (also with a blank for the comma) and
 * {@code 50%} or {@code 40% memory, 60% cpu}. Resources that the text does not name are as in FairScheduler ({@code
 * FairSchedulerConfiguration.parseResourceConfigValue}): not limited in the first two syntaxes, 0 in the others.
 */
final class FairAmount {
    private static final String VALID = "must be such as \"vcores=4, memory-mb=8192\", \"vcores=40%, memory-mb=50%\","
            + " \"8192 mb, 4 vcores\", \"50%\" or \"40% memory, 60% cpu\"";
    private static final Pattern PERCENT = Pattern.compile("(\\d{1,9}(?:\\.\\d*)?)\\s*%\\s*([a-z]*)");
    private static final Pattern UNITS = Pattern.compile("(\\d{1,18})(?:\\.\\d*)?\\s*([a-z]+).*", Pattern.DOTALL);
    private static final Pattern WITH_SPACES = Pattern.compile("-?\\d+(?:\\.\\d*)?\\s*[a-z]+\\s*");
    private static final Pattern WHOLE = Pattern.compile("\\d{1,18}");
    private static final String MEMORY = "memory-mb";
    private static final String CPU = "vcores";

    private final SortedMap<String, String> resources;

    /** @param resources resource types of the cluster */
    FairAmount(SortedMap<String, String> resources) {
        this.resources = resources;
    }

    /**
     * Reads an amount.
     *
     * @throws IllegalArgumentException with what would be correct
     */
    Amounts parse(String text) {
        if (text.contains("=")) {
            return named(text);
        }
        String lower = text.toLowerCase(Locale.ROOT);
        return text.contains("%") ? percentages(lower) : megabytesAndCores(lower);
    }

    private Amounts named(String text) {
        boolean parts = text.contains("%");
        Map<String, Long> absolute = new HashMap<>();
        Map<String, Double> fraction = new HashMap<>();
        for (String one : text.split(",", -1)) {
            String[] pair = one.split("=", -1);
            if (pair.length != 2) {
                throw new IllegalArgumentException(VALID);
            }
            String resource = pair[0].strip();
            String value = pair[1].strip();
            if (!resources.containsKey(resource)) {
                throw new IllegalArgumentException(
                        "names " + resource + ", which is not a resource type of this cluster: "
                                + KnownNames.choices(resource, resources.keySet()));
            }
            if (parts) {
                Matcher percent = PERCENT.matcher(value);
                if (!percent.matches() || !percent.group(2).isEmpty()) {
                    throw new IllegalArgumentException(
                            "must give all resources in percent, 0 or more, if it gives one in percent");
                }
                fraction.put(resource, part(percent));
            } else {
                if (!WHOLE.matcher(value).matches()) {
                    throw new IllegalArgumentException("must give " + resource
                            + " as a whole number of its own unit, 0 or more, without the unit");
                }
                absolute.put(resource, Long.parseLong(value));
            }
        }
        return new Amounts(absolute, fraction);
    }

    private Amounts percentages(String text) {
        String[] values = text.split(",", -1);
        Map<String, Double> fraction = new HashMap<>();
        if (values.length == 1) {
            Matcher percent = PERCENT.matcher(values[0].strip());
            if (!percent.matches() || !percent.group(2).isEmpty()) {
                throw new IllegalArgumentException(VALID);
            }
            resources.keySet().forEach(resource -> fraction.put(resource, part(percent)));
            return new Amounts(Map.of(), fraction);
        }
        resources.keySet().forEach(resource -> fraction.put(resource, 0.0));
        fraction.put(MEMORY, part(values, "memory"));
        fraction.put(CPU, part(values, "cpu"));
        return new Amounts(Map.of(), fraction);
    }

    private static double part(String[] values, String resource) {
        for (String value : values) {
            Matcher percent = PERCENT.matcher(value.strip());
            if (value.contains(resource)) {
                if (!percent.matches() || !percent.group(2).equals(resource)) {
                    throw new IllegalArgumentException(VALID);
                }
                return part(percent);
            }
        }
        throw new IllegalArgumentException("does not name " + resource + "; it " + VALID);
    }

    private static double part(Matcher percent) {
        return Double.parseDouble(percent.group(1)) / 100;
    }

    private Amounts megabytesAndCores(String text) {
        List<String> values = new ArrayList<>(List.of(text.split(",", -1)));
        if (values.size() != 2) {
            values.clear();
            Matcher found = WITH_SPACES.matcher(text);
            while (found.find()) {
                values.add(found.group());
            }
        }
        if (values.size() != 2) {
            throw new IllegalArgumentException(VALID);
        }
        Map<String, Long> absolute = new HashMap<>();
        resources.keySet().forEach(resource -> absolute.put(resource, 0L));
        absolute.put(MEMORY, units(values, "mb"));
        absolute.put(CPU, units(values, CPU));
        return new Amounts(absolute, Map.of());
    }

    private static long units(List<String> values, String unit) {
        for (String value : values) {
            if (value.contains(unit)) {
                Matcher units = UNITS.matcher(value.strip());
                if (!units.matches() || !units.group(2).startsWith(unit)) {
                    throw new IllegalArgumentException(VALID);
                }
                long amount = Long.parseLong(units.group(1));
                if (amount > Integer.MAX_VALUE) {
                    throw new IllegalArgumentException("must be at most " + Integer.MAX_VALUE + " " + unit);
                }
                return amount;
            }
        }
        throw new IllegalArgumentException("does not name " + unit + "; it " + VALID);
    }
}
