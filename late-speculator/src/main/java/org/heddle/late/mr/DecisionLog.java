// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.mr;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.heddle.late.policy.Decision;
import org.heddle.late.policy.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Writes decisions as JSON lines. The first line names the format, its version, the job and the profile. Each launch,
 * placement and move has a line; so has each change of the reason why a task gets no backup.
 *
 * <p>Not thread safe: the speculator's lock guards it.
 */
final class DecisionLog implements AutoCloseable {
    static final String FORMAT = "heddle-late-decisions";
    static final int VERSION = 1;
    // About 30 MB: the log directory of a container is not made for more.
    private static final long MOST_LINES = 100_000;

    private final Map<String, Reason> last = new HashMap<>();
    private @Nullable Writer writer;
    private long linesLeft = MOST_LINES;

    private DecisionLog(@Nullable Writer writer) {
        this.writer = writer;
    }

    /** A log without a file: it only remembers reasons, to know which ones are new. */
    static DecisionLog silent() {
        return new DecisionLog(null);
    }

    /**
     * @throws UncheckedIOException when the file cannot be written
     */
    static DecisionLog to(Path file, String job, String profile, boolean dryRun) {
        try {
            DecisionLog log = new DecisionLog(Files.newBufferedWriter(file, StandardCharsets.UTF_8));
            log.line("{\"format\":\"" + FORMAT + "\",\"version\":" + VERSION + ",\"job\":" + quoted(job)
                    + ",\"profile\":" + quoted(profile) + ",\"dryRun\":" + dryRun + "}");
            return log;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Adds a decision.
     *
     * @return whether it is new: the first one for this task, or one with another reason than the last one
     */
    boolean add(Decision decision, long now) {
        Reason before = last.put(decision.task(), decision.reason());
        boolean changed = before != decision.reason() || decision.action() != Decision.Action.HOLD;
        if (changed && writer != null) {
            StringBuilder line = new StringBuilder(200);
            line.append("{\"t\":").append(now);
            text(line, "task", decision.task());
            text(line, "attempt", decision.attempt());
            text(line, "node", decision.node());
            text(line, "action", decision.action().name());
            text(line, "reason", decision.reason().name());
            number(line, "score", decision.score(), 4);
            number(line, "remainingMs", decision.remainingMillis(), 0);
            number(line, "freshMs", decision.freshMillis(), 0);
            line(line.append('}').toString());
        }
        return changed;
    }

    /** Writes the decisions so far to the file. */
    void flush() {
        if (writer != null) {
            try {
                writer.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() {
        Writer open = writer;
        writer = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void line(String line) {
        Writer open = writer;
        if (open == null) {
            return;
        }
        try {
            if (linesLeft-- <= 0) {
                open.write("{\"truncated\":true}\n");
                close();
            } else {
                open.write(line);
                open.write('\n');
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void text(StringBuilder line, String name, @Nullable String value) {
        if (value != null) {
            line.append(",\"").append(name).append("\":").append(quoted(value));
        }
    }

    private static void number(StringBuilder line, String name, double value, int decimals) {
        if (Double.isNaN(value)) {
            return;
        }
        line.append(",\"").append(name).append("\":");
        if (Double.isInfinite(value)) {
            line.append("null"); // JSON has no infinity; null means that no end is expected
        } else if (decimals == 0) {
            line.append(Math.round(value));
        } else {
            double scale = Math.pow(10, decimals);
            line.append(Math.round(value * scale) / scale);
        }
    }

    private static String quoted(String value) {
        StringBuilder quoted = new StringBuilder(value.length() + 2).append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
