// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.jobs;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the log of MapReduce's ApplicationMaster: when each attempt of a task got how far. */
final class MasterLog {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS");
    private static final Pattern LINE = Pattern.compile("(\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d,\\d{3}) (.*)");
    private static final Pattern CHANGE =
            Pattern.compile(".*: (attempt_\\d+_\\d+_m_\\d+_\\d+) TaskAttempt Transitioned from (\\w+) to (\\w+).*");
    private static final Pattern BEGINS = Pattern.compile(".* given task: (attempt_\\d+_\\d+_m_\\d+_\\d+)");

    /**
     * An attempt that ended well, in milliseconds since 1970.
     *
     * @param requested the master puts it on its list of requests
     * @param allocated the master has a container for it
     * @param begun the task's JVM asks the master for its task
     * @param done the task is done; its container ends later
     */
    record Attempt(long requested, long allocated, long begun, long done) {}

    private static final class Times {
        long requested;
        long allocated;
        long begun;
        long done;
    }

    private final ZoneId zone;
    private final Map<String, Times> attempts = new HashMap<>();

    private MasterLog(ZoneId zone) {
        this.zone = zone;
    }

    /** The attempts of maps that ended well, in no order. */
    static List<Attempt> attempts(Collection<String> lines, ZoneId zone) {
        MasterLog log = new MasterLog(zone);
        lines.forEach(log::read);
        return log.attempts.values().stream()
                .filter(times -> times.done > 0)
                .map(times -> new Attempt(times.requested, times.allocated, times.begun, times.done))
                .toList();
    }

    private void read(String line) {
        Matcher parts = LINE.matcher(line);
        if (!parts.matches()) {
            return;
        }
        Matcher change = CHANGE.matcher(parts.group(2));
        Matcher begins = BEGINS.matcher(parts.group(2));
        if (change.matches()) {
            changed(of(change.group(1)), change.group(3), millis(parts.group(1)));
        } else if (begins.matches()) {
            of(begins.group(1)).begun = millis(parts.group(1));
        }
    }

    private static void changed(Times times, String state, long millis) {
        switch (state) {
            case "UNASSIGNED" -> times.requested = millis;
            case "ASSIGNED" -> times.allocated = millis;
            case "SUCCESS_FINISHING_CONTAINER" -> times.done = millis;
            default -> {}
        }
    }

    private Times of(String attempt) {
        return attempts.computeIfAbsent(attempt, one -> new Times());
    }

    private long millis(String time) {
        return LocalDateTime.parse(time, TIME).atZone(zone).toInstant().toEpochMilli();
    }
}
