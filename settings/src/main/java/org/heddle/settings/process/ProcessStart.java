// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings.process;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The only place that starts programs. What they get is what the caller gave, or the start is refused. What starts
 * Heddle itself, {@code bin/heddle} and the bridge's {@code AgentLaunchContext}, sets LC_ALL where the locale is not
 * one of UTF-8; programs of users get the former value back.
 */
public final class ProcessStart {
    /** The environment variable with the value of LC_ALL before it was set for Heddle; empty if there was none. */
    public static final String FORMER_LOCALE = "HEDDLE_LC_ALL";

    private static final String LOCALE = "LC_ALL";

    private ProcessStart() {}

    /**
     * Starts a program that works for this process, in the same locale.
     *
     * @param words program and arguments
     * @param settings sets directory, environment and redirections
     * @throws IOException one sentence: it cannot be started, or something of it is not in the locale's encoding
     */
    public static Process ours(List<String> words, Consumer<ProcessBuilder> settings) throws IOException {
        return start(new ProcessBuilder(words), settings);
    }

    /** The same for a program of a user, in the locale of the machine or of the user's shell, not in that of Heddle. */
    public static Process users(List<String> words, Consumer<ProcessBuilder> settings) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(words);
        restoreLocale(builder.environment());
        return start(builder, settings);
    }

    /**
     * Checks the arguments of a program that is started later.
     *
     * @throws IOException one sentence: an argument is not in the locale's encoding
     */
    public static void check(List<String> words) throws IOException {
        for (String word : words) {
            LocaleEncoding.SYSTEM.check("the argument " + LocaleEncoding.shown(word), word);
        }
    }

    static void restoreLocale(Map<String, String> environment) {
        String former = environment.remove(FORMER_LOCALE);
        if (former == null) {
            return;
        }
        if (former.isEmpty()) {
            environment.remove(LOCALE);
        } else {
            environment.put(LOCALE, former);
        }
    }

    private static Process start(ProcessBuilder builder, Consumer<ProcessBuilder> settings) throws IOException {
        settings.accept(builder);
        check(builder.command());
        // What is inherited goes on byte by byte.
        for (Map.Entry<String, String> variable : builder.environment().entrySet()) {
            String name = variable.getKey();
            if (!variable.getValue().equals(System.getenv(name))) {
                LocaleEncoding.SYSTEM.check("the environment variable " + LocaleEncoding.shown(name), name);
                // Not shown, because it may be a secret.
                LocaleEncoding.SYSTEM.check("the value of the environment variable " + name, variable.getValue());
            }
        }
        return builder.start();
    }
}
