// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.sim;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the speculator writes into the ApplicationMaster's log directory. */
public final class Decisions {
    private static final String LOG_DIR = "yarn.app.container.log.dir";

    private Decisions() {}

    /** The lines of {@code late.jsonl} of a run. */
    public static List<String> of(Scenario scenario, Mode mode, long seed, Path logDirectory) throws IOException {
        System.setProperty(LOG_DIR, logDirectory.toString());
        try {
            Simulation.run(scenario, mode, seed);
        } finally {
            System.clearProperty(LOG_DIR);
        }
        return Files.readAllLines(logDirectory.resolve("late.jsonl"));
    }
}
