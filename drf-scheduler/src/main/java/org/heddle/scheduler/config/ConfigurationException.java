// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration file that cannot be used. Its message is one line; {@link #problems()} has all that was found. */
public final class ConfigurationException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int SHOWN = 5;

    private final transient List<Problem> problems;

    /**
     * An exception for all errors of one file.
     *
     * @param problems at least one, all of the same file
     */
    public ConfigurationException(List<Problem> problems) {
        super(message(problems));
        this.problems = List.copyOf(problems);
    }

    public List<Problem> problems() {
        return problems;
    }

    private static String message(List<Problem> problems) {
        String shown = problems.stream().limit(SHOWN).map(Problem::sentence).collect(Collectors.joining("; "));
        int more = problems.size() - SHOWN;
        return problems.get(0).file() + ": " + shown + (more > 0 ? "; and " + more + " more" : "");
    }
}
