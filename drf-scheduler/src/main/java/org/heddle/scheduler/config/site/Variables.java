// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.site;

import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Replaces <code>${name}</code> in values, as Hadoop does. */
public final class Variables {
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}$\\s]+)}");
    private static final int MOST_SUBSTITUTIONS = 20;
    private static final String ENVIRONMENT = "env.";

    private Variables() {}

    /**
     * A value with its variables replaced; one that has no value stays as it is, with all after it.
     *
     * @param properties from a key to its value before replacement, null where it is not set
     */
    public static String expand(String text, Function<String, @Nullable String> properties) {
        String expanded = text;
        for (int i = 0; i < MOST_SUBSTITUTIONS; i++) {
            Matcher variable = VARIABLE.matcher(expanded);
            if (!variable.find()) {
                break;
            }
            String value = value(variable.group(1), properties);
            if (value == null) {
                break;
            }
            expanded = expanded.substring(0, variable.start()) + value + expanded.substring(variable.end());
        }
        return expanded;
    }

    private static @Nullable String value(String name, Function<String, @Nullable String> properties) {
        if (name.startsWith(ENVIRONMENT)) {
            return environment(name.substring(ENVIRONMENT.length()));
        }
        String property = properties.apply(name);
        return property != null || !name.equals("user.name") ? property : System.getProperty(name);
    }

    /**
     * {@code NAME}, {@code NAME-default} where it is not set, or {@code NAME:-default} where it is not set or empty.
     */
    private static @Nullable String environment(String text) {
        int dash = text.indexOf('-');
        if (dash < 0) {
            return System.getenv(text);
        }
        boolean colon = dash > 0 && text.charAt(dash - 1) == ':';
        String value = System.getenv(text.substring(0, colon ? dash - 1 : dash));
        return value == null || (colon && value.isEmpty()) ? text.substring(dash + 1) : value;
    }
}
