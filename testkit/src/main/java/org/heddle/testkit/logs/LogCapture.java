// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit.logs;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/**
 * What loggers below a name wrote while it was open, in this JVM: daemons of the cluster and the plugin under test.
 * Works on the log4j 1 API (reload4j) that both Hadoop lines log through.
 */
public final class LogCapture implements AutoCloseable {
    /**
     * One line of log.
     *
     * @param level {@code DEBUG}, {@code INFO}, {@code WARN}, {@code ERROR} or {@code FATAL}
     * @param logger name of the logger
     * @param message text without time and level
     * @param exception stack trace; empty if there was none
     */
    public record Line(String level, String logger, String message, String exception) {}

    private final Logger logger;
    private final List<Line> lines = new ArrayList<>();
    private final AppenderSkeleton appender = new AppenderSkeleton() {
        @Override
        protected void append(LoggingEvent event) {
            String[] trace = event.getThrowableStrRep();
            Line line = new Line(
                    event.getLevel().toString(),
                    event.getLoggerName(),
                    String.valueOf(event.getRenderedMessage()),
                    trace == null ? "" : String.join("\n", trace));
            synchronized (lines) {
                lines.add(line);
            }
        }

        @Override
        public void close() {}

        @Override
        public boolean requiresLayout() {
            return false;
        }
    };

    private LogCapture(Logger logger) {
        this.logger = logger;
        appender.setThreshold(Level.ALL);
        logger.addAppender(appender);
    }

    /** Captures what {@code name} (a class or package) and loggers below it write, at the levels they are set to. */
    public static LogCapture of(String name) {
        return new LogCapture(Logger.getLogger(name));
    }

    public static LogCapture of(Class<?> type) {
        return of(type.getName());
    }

    /** A copy of the lines so far. */
    public List<Line> lines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    /** Lines at {@code WARN} and worse. */
    public List<Line> warnings() {
        return lines().stream()
                .filter(line -> Level.toLevel(line.level()).isGreaterOrEqual(Level.WARN))
                .toList();
    }

    /** Whether some message contains a match of the regular expression. */
    public boolean contains(String regex) {
        Pattern pattern = Pattern.compile(regex);
        return lines().stream().anyMatch(line -> pattern.matcher(line.message()).find());
    }

    @Override
    public void close() {
        logger.removeAppender(appender);
    }
}
