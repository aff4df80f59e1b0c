// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.jobs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Processor time of this process and of all that it has started and that have ended, containers among them. Linux only. */
final class ProcessorTime {
    private static final Path STAT = Path.of("/proc/self/stat");
    private static final double TICKS_PER_SECOND = 100; // USER_HZ, the same on all of today's machines
    private static final int USER = 11; // of the fields behind the name; user, system, and both of ended children
    private static final int FIELDS = 4;

    private ProcessorTime() {}

    static double seconds() throws IOException {
        return parse(Files.readString(STAT));
    }

    /** @param stat as /proc/PID/stat has it; the name is in parentheses and may contain any character */
    static double parse(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        long ticks = 0;
        for (int i = USER; i < USER + FIELDS; i++) {
            ticks += Long.parseLong(fields[i]);
        }
        return ticks / TICKS_PER_SECOND;
    }
}
