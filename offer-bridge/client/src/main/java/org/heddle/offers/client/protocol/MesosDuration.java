// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.client.protocol;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Mesos writes them: a number and ns, us, ms, secs, mins, hrs, days or weeks. */
final class MesosDuration {
    private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)(ns|us|ms|secs|mins|hrs|days|weeks)");
    private static final Map<String, Double> NANOS = new HashMap<>();

    static {
        NANOS.put("ns", 1.0);
        NANOS.put("us", 1e3);
        NANOS.put("ms", 1e6);
        NANOS.put("secs", 1e9);
        NANOS.put("mins", 60e9);
        NANOS.put("hrs", 3600e9);
        NANOS.put("days", 86_400e9);
        NANOS.put("weeks", 604_800e9);
    }

    private MesosDuration() {}

    /** @throws IllegalArgumentException if the text is not such a duration */
    static long nanos(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a duration: write a number and a unit, for example 5secs or 15mins");
        }
        return (long) (Double.parseDouble(parts.group(1)) * NANOS.getOrDefault(parts.group(2), 1.0));
    }
}
