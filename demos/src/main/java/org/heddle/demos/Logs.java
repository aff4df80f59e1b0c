// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.log4j.FileAppender;
import org.apache.log4j.Level;
import org.apache.log4j.LogManager;
import org.apache.log4j.PatternLayout;

/** Sends what the cluster's daemons say to a file, so that the terminal stays free. */
public final class Logs {
    private Logs() {}

    /** Replaces whatever logging was configured. */
    public static void toFile(Path file) throws IOException {
        java.util.logging.LogManager.getLogManager().reset();
        LogManager.resetConfiguration();
        FileAppender appender =
                new FileAppender(new PatternLayout("%d{ISO8601} %-5p [%t] %c{2}: %m%n"), file.toString());
        LogManager.getRootLogger().addAppender(appender);
        LogManager.getRootLogger().setLevel(Level.INFO);
        // Threads of killed containers end by uncaught exceptions.
        Thread.setDefaultUncaughtExceptionHandler((thread, problem) ->
                LogManager.getLogger(Logs.class).warn("thread " + thread.getName() + " ended", problem));
    }

    /** Takes a shutdown hook back and closes the file; does neither when the hook has begun, for it still writes. */
    public static void closeAfter(Thread hook) {
        try {
            if (!Runtime.getRuntime().removeShutdownHook(hook)) {
                return;
            }
        } catch (IllegalStateException e) {
            return; // what the JDK throws while it shuts down
        }
        LogManager.shutdown();
    }
}
